/** The command `sojourn import`: places and accesses of files of any size, in requests that may be repeated. */
import { Administrator, AdministratorId, OrganizationId, PermissionStore } from "@sojourn/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { Console, Context, Effect } from "effect"
import { StartupError } from "@sojourn/service"
import { statSync } from "node:fs"
import { readAccessFile } from "../imports/accessRows.ts"
import { type PlacesAnswer, placeRequests, readFeatureFile } from "../imports/placeFeatures.ts"
import { Progress } from "../imports/Progress.ts"
import { required, text, yes } from "./flags.ts"
import { type Client, decode, decodeId, flagsOfStorage, operate, operator } from "./operate.ts"

/** How long the commands may take, in seconds. */
const EXPIRES_IN = 7 * 24 * 60 * 60

/** How many reasons of refusals are printed. */
const MOST_REASONS = 1_000

const organization = required("organization", "The id of the organization")

const file = (description: string) => Argument.String("file").pipe(Argument.withDescription(description))

/** Runs what a file may be wrong for. */
const withFile = <A>(path: string, work: () => A | Promise<A>): Effect.Effect<A, StartupError> =>
  Effect.tryPromise({
    try: async () => work(),
    catch: (error) =>
      new StartupError({ message: `${path}: ${error instanceof Error ? error.message : String(error)}` })
  })

const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ")

/** Prints the counts of an import, one a line. */
const printCounts = (counts: Readonly<Record<string, number>>) =>
  Effect.forEach(Object.entries(counts), ([what, count]) => Console.log(`${what}\t${count}`), { discard: true })

/** Prints reasons of refusals on stderr, as far as they are not too many. */
const makeReasons = (path: string, progress: Progress) => {
  let printed = 0
  return (where: number, reason: string) =>
    Effect.suspend(() => {
      if (++printed > MOST_REASONS + 1) return Effect.void
      progress.clear()
      return Console.error(printed > MOST_REASONS ? `${path}: more is refused` : `${path}:${where}: ${reason}`)
    })
}

const accesses = Command.make(
  "accesses",
  {
    file: file("CSV whose first row names the columns, or an object of JSON in each line"),
    organization,
    ...flagsOfStorage
  },
  Effect.fnUntraced(function* ({ file, organization, ...flags }) {
    const organizationId = yield* decodeId(OrganizationId, "--organization", organization)
    const { size } = yield* withFile(file, () => statSync(file))
    const progress = new Progress(size)
    const refuse = makeReasons(file, progress)
    const counts = { imported: 0, skipped: 0, refused: 0 }

    const send = Effect.fnUntraced(function* (
      api: Client,
      lines: ReadonlyArray<string>,
      numbers: ReadonlyArray<number>
    ) {
      if (lines.length === 0) return
      const payload = bytesOf(lines.join("\n"))
      const { imported, skipped, refused } = yield* api.import.accesses({ params: { organizationId }, payload })
      counts.imported += imported
      counts.skipped += skipped
      counts.refused += lines.length - imported - skipped
      for (const { line, reason } of refused) yield* refuse(numbers[line - 1]!, reason)
    })

    yield* operate(
      flags,
      operator,
      Effect.fnUntraced(function* (api) {
        const rows = readAccessFile(file)
        for (
          let next = yield* withFile(file, () => rows.next());
          next.done !== true;
          next = yield* withFile(file, () => rows.next())
        ) {
          const { lines, numbers, unread, bytes } = next.value
          counts.refused += unread.length
          for (const { line, reason } of unread) yield* refuse(line, reason)
          yield* send(api, lines, numbers)
          progress.show(bytes, counted(counts))
        }
      }),
      { expiresIn: EXPIRES_IN }
    ).pipe(Effect.ensuring(Effect.sync(() => progress.clear())))
    yield* printCounts(counts)
  })
).pipe(
  Command.withDescription(
    "Adds accesses that another system recorded. It may be cut off and repeated: nothing is imported twice"
  )
)

/** The administrator of a name, or else the first owner of the organization. */
const ownerOf = (name: string, organizationId: OrganizationId) =>
  name === ""
    ? Effect.fnUntraced(function* (stores: Context.Context<PermissionStore> | undefined) {
        if (stores === undefined) {
          return yield* new StartupError({
            message: "--administrator is missing: a running server does not say who owns"
          })
        }
        const permissions = yield* Context.get(stores, PermissionStore).listByOrganization(organizationId)
        const owner = permissions.find(({ level }) => level === "owner")
        if (owner === undefined) return yield* new StartupError({ message: "The organization does not exist." })
        return Administrator(owner.administratorId)
      })
    : () => Effect.map(decode(AdministratorId, "--administrator", name), (id) => Administrator(id))

const places = Command.make(
  "places",
  {
    file: file("A GeoJSON FeatureCollection, with name, level, parent and capacity as properties"),
    organization,
    administrator: text(
      "administrator",
      "The administratorId in whose name it is done, a manager or an owner; left out: the first owner",
      ""
    ),
    dryRun: yes("dry-run", "Change nothing, and say what would be refused"),
    ...flagsOfStorage
  },
  Effect.fnUntraced(function* ({ file, organization, administrator, dryRun, ...flags }) {
    const organizationId = yield* decodeId(OrganizationId, "--organization", organization)
    const features = yield* withFile(file, () => readFeatureFile(file))
    const progress = new Progress(features.length)
    const params = { organizationId }
    const query = dryRun ? { dryRun: "true" as const } : {}

    const run = Effect.fnUntraced(function* (api: Client) {
      const there = yield* api.place.list({ params, query: {} })
      const requests = placeRequests(features, there ?? [])
      let created = 0
      let done = 0
      let step = requests.next(undefined as never)
      while (step.done !== true) {
        const { features: some } = step.value
        const payload = bytesOf({ type: "FeatureCollection", features: some })
        const answer: PlacesAnswer = yield* api.import.places({ params, query, payload })
        created += answer.created.length
        done += some.length
        progress.show(done, `${created} created`)
        step = requests.next(answer)
      }
      progress.show(features.length, `${created} created`)
      return { ...step.value, created }
    })

    const result = yield* operate(flags, ownerOf(administrator, organizationId), run, { expiresIn: EXPIRES_IN }).pipe(
      Effect.ensuring(Effect.sync(() => progress.clear()))
    )
    const refuse = makeReasons(file, progress)
    for (const { feature, reason } of result.refused) yield* refuse(feature, reason)
    yield* printCounts({ created: result.created, skipped: result.skipped, refused: result.refused.length })
  })
).pipe(
  Command.withDescription(
    "Creates places from GeoJSON, and leaves out those that are there. It may be cut off and repeated"
  )
)

export const importCommand = Command.make("import").pipe(
  Command.withDescription("Takes what is there already: places and accesses of files of any size"),
  Command.withSubcommands([places, accesses])
)

/** The command `sojourn demo`, and what `serve --demo` loads and prints. */
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import * as Command from "effect/cli/Command"
import { Console, Effect, Fiber, Option } from "effect"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { StartupError } from "@sojourn/service"
import { attractionsOf } from "../demo/campus.ts"
import { runDoor } from "../demo/doors.ts"
import { pageLink, tryOut } from "../demo/commands.ts"
import { runCrowd } from "../demo/crowd.ts"
import { DEMO_OWNER, type DemoOrganization, loadDemo, ORGANIZATIONS_OF_DEMO } from "../demo/load.ts"
import { importWeek } from "../demo/week.ts"
import { ISSUER_KEY_FILE, issuerKey } from "../keys/IssuerKey.ts"
import { data, server, text, yes } from "./flags.ts"
import { addressOf, parseWhole, valueOf } from "./values.ts"

/** The file in the data directory that names the organizations of the demo that were loaded into its storage. */
const LOADED = "demo-loaded"

/** The file in the data directory with the commands to try. */
const COMMANDS = "demo-commands.sh"

/** Loads the demo into a running server, and answers what is there of it. */
const load = (baseUrl: string, key: OwnIssuer.SigningKey, loaded = Option.none<ReadonlySet<string>>()) =>
  Effect.mapError(
    loadDemo(baseUrl, key, loaded),
    (error) => new StartupError({ message: `the demo cannot be loaded into ${baseUrl}: ${error._tag}` })
  )

/** What the mark of a data directory names. An empty one was written before the demo had its campus. */
const loadedBefore = (mark: string): ReadonlySet<string> =>
  existsSync(mark) ? new Set((readFileSync(mark, "utf8").trim() || "museum works").split(/\s+/)) : new Set()

/** Loads the demo once into the storage of this data directory. Later changes of its organizations are kept. */
const loadOnce = Effect.fnUntraced(function* (baseUrl: string, key: OwnIssuer.SigningKey, data: string) {
  const mark = path.join(data, LOADED)
  const demo = yield* load(baseUrl, key, Option.some(loadedBefore(mark)))
  writeFileSync(mark, `${ORGANIZATIONS_OF_DEMO.join("\n")}\n`)
  return demo
})

/** The largest crowd. */
const MAX_PEOPLE = 10_000

export const demoFlags = {
  demo: yes("demo", "Load the demo, and say where its page and its commands are"),
  demoCrowd: text("demo-crowd", "How many simulated people come and go on the demo's campus; 0: none", "200"),
  demoDirectory: yes("demo-directory", "Know the people of the demo's directory, also without the demo: for trials")
}

/** Reads the size of the demo's crowd. */
export const crowdOf = (value: string) =>
  valueOf(
    "demo-crowd",
    value,
    `a number of people from 0 to ${MAX_PEOPLE}`,
    parseWhole(value, { least: 0, most: MAX_PEOPLE })
  )

/** Where and how a server shows the demo. */
export interface Showing {
  readonly baseUrl: string
  readonly key: OwnIssuer.SigningKey
  readonly data: string
  /** Whether the storage lives in the data directory: the demo is then loaded once. */
  readonly isOwnStorage: boolean
  readonly page: boolean
  readonly crowd: number
}

/** Gives the campus its past week, and answers the crowd that goes on from there. */
const crowdFor = Effect.fnUntraced(function* ({ id: organizationId, places }: DemoOrganization, size: number) {
  const crowd = { organizationId, attractions: attractionsOf(places), size }
  yield* Effect.mapError(
    importWeek(DEMO_OWNER, crowd),
    (error) => new StartupError({ message: `the demo's campus cannot have its past week: ${error._tag}` })
  )
  return crowd
})

/** Loads the demo into this server, prints where to look, and starts the crowd, which lives as long as the scope. */
export const show = Effect.fnUntraced(function* ({ baseUrl, key, data, isOwnStorage, page, crowd: size }: Showing) {
  const demo = yield* isOwnStorage ? loadOnce(baseUrl, key, data) : load(baseUrl, key)
  const { campus } = demo.organizations
  const crowd = campus === undefined ? undefined : yield* crowdFor(campus, size)
  const commands = path.join(data, COMMANDS)
  // The commands hold tokens.
  rmSync(commands, { force: true })
  writeFileSync(commands, tryOut(baseUrl, demo), { mode: 0o600 })
  yield* Console.log(`Open the page:    ${page ? pageLink(baseUrl, demo) : `${baseUrl}/docs`}
Paste commands:   ${commands}
Stop the server:  Ctrl-C`)
  if (crowd === undefined || size === 0) return Effect.void
  const doors = Effect.forEach(campus!.doors, runDoor, { concurrency: "unbounded", discard: true })
  return Fiber.interrupt(yield* Effect.forkScoped(Effect.all([runCrowd(crowd), doors], { concurrency: "unbounded" })))
})

export const demo = Command.make(
  "demo",
  { data, server },
  Effect.fnUntraced(function* ({ data, server }) {
    yield* addressOf("server", server)
    if (!existsSync(path.join(data, ISSUER_KEY_FILE))) {
      return yield* new StartupError({
        message: `there is no key of a server in ${data}: name its directory with --data`
      })
    }
    yield* Console.log(tryOut(server, yield* load(server, yield* issuerKey(data))))
  })
).pipe(Command.withDescription("Loads a small demo into a running server, and prints commands to try"))

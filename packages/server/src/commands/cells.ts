/** The commands `sojourn cells`: which cells a service has, and how many organizations are in each. */
import { CellNumber, CellStore, type SecretKey, StorageIdentity } from "@sojourn/core"
import { type CellLocation, hostOf, layerPostgres, StartupError, Storage } from "@sojourn/service"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { Console, Context, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { tokenKeys } from "../keys/TokenKeys.ts"
import { type CellEntry, readEntries, writeEntries } from "../storage/cellsFile.ts"
import { cellLocations } from "../storage/database.ts"
import { databaseOf } from "../storage/index.ts"
import { required, secret, text, yes } from "./flags.ts"
import { chooseCells, requireData, storageFlags } from "./storage.ts"
import { parseWhole, valueOf } from "./values.ts"

const flags = { ...storageFlags, cells: required("cells", "The JSON file that names the cells") }

/** All cells of a choice, until the scope ends. */
const locationsOf = Effect.fnUntraced(function* (choice: Effect.Success<ReturnType<typeof chooseCells>>) {
  const { address, ...options } = yield* databaseOf(choice, "share")
  return cellLocations(address, options, choice.cells)
})

/** The stores of a cell, until the scope ends. */
const open = (
  { address, number: cell, ...options }: CellLocation,
  { keys, migrate }: { readonly keys: ReadonlyArray<SecretKey>; readonly migrate: boolean }
) => Layer.build(Layer.fresh(layerPostgres(address, { ...options, keys, migrate, cell })))

const decodeNumber = (text: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(Schema.FiniteFromString.pipe(Schema.decodeTo(CellNumber)))(text),
    () => new StartupError({ message: `a cell has a number from 0 to 255: ${text}` })
  )

const add = Command.make(
  "add",
  {
    number: Argument.String("number").pipe(Argument.withDescription("The number of the new cell, 1 to 255")),
    url: secret("cell-url", "Its database; left out: that of the home cell"),
    schema: text("cell-schema", "Its schema", ""),
    citus: yes("cell-citus", "Its schema is distributed by Citus, whose coordinator is its database"),
    weight: text("cell-weight", "How many new organizations it gets in proportion to the others", "0"),
    ...flags
  },
  Effect.fnUntraced(function* ({ number: text, url, schema, citus, weight, ...flags }) {
    const number = yield* decodeNumber(text)
    const entry: CellEntry = {
      number,
      ...(Redacted.value(url) !== "" && { url: Redacted.value(url) }),
      ...(schema !== "" && { schema }),
      ...(citus && { citus }),
      weight: yield* valueOf(
        "cell-weight",
        weight,
        "a whole number from 0 to 1000",
        parseWhole(weight, { least: 0, most: 1000 })
      )
    }
    const before = Option.getOrElse(yield* readEntries(flags.cells), (): ReadonlyArray<CellEntry> => [
      { number: CellNumber.make(0) }
    ])
    if (before.some((cell) => cell.number === number)) {
      return yield* new StartupError({ message: `${flags.cells} has cell ${number} already` })
    }
    const entries = [...before, entry]
    const keys = yield* tokenKeys(flags.data, flags.tokenKeys)
    const locations = yield* locationsOf(yield* chooseCells(flags, entries))
    // The home cell as well: a service that had no cells has none of its names there.
    const home = yield* open(locations[0], { keys, migrate: true })
    const added = locations.find((location) => location.number === number)
    const made = yield* open(added!, { keys, migrate: true })
    const storage = yield* Context.get(home, StorageIdentity).read
    yield* Context.get(made, CellStore).takeIdentity(storage)
    yield* writeEntries(flags.cells, entries)
    yield* Console.log(`cell ${number} is in ${flags.cells}: start all servers again with it`)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Makes the schema of a new cell, and adds it to the file of --cells, which is made if it is missing"
  )
)

const list = Command.make(
  "list",
  flags,
  Effect.fnUntraced(function* (flags) {
    const choice = yield* chooseCells(flags)
    yield* requireData(flags, choice)
    const keys = yield* tokenKeys(flags.data, flags.tokenKeys)
    const locations = yield* locationsOf(choice)
    const opened = yield* Effect.forEach(
      locations,
      (location) =>
        Effect.map(Effect.result(open(location, { keys, migrate: false })), (stores) => ({ location, stores })),
      { concurrency: "unbounded" }
    )
    const home = yield* Effect.fromResult(opened[0]!.stores)
    const counts = yield* Context.get(home, CellStore).countNames
    for (const { location, stores } of opened) {
      const { number, weight, address, schema } = location
      const isReady = Result.isSuccess(stores) && (yield* Context.get(stores.success, Storage).isReady)
      const state = Result.isFailure(stores) ? stores.failure.message : isReady ? "there" : "away"
      const organizations = `${counts.get(number) ?? 0} organizations`
      yield* Console.log([number, hostOf(address) || "-", schema, `weight ${weight}`, organizations, state].join("\t"))
    }
  }, Effect.scoped)
).pipe(Command.withDescription("Lists the cells: number, host, schema, weight, organizations, whether it answers"))

export const cells = Command.make("cells").pipe(
  Command.withDescription("The cells of a service, over which its organizations are spread"),
  Command.withSubcommands([add, list])
)

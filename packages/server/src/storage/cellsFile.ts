/** The file of `--cells`: the cells of a service, and where each one is. */
import { DEFAULT_SCHEMA } from "@sojourn/adapter-postgres"
import { CellNumber } from "@sojourn/core"
import { messageOf, parseDatabaseUrl, StartupError } from "@sojourn/service"
import { Effect, Option, Redacted, Schema } from "effect"
import * as fs from "node:fs/promises"
import { makeDirectory } from "@sojourn/embedded-postgres"
import * as path from "node:path"
import { storedSecret } from "../keys/SecretFile.ts"
import type { CellChoice, DatabaseChoice } from "./StorageChoice.ts"

const Weight = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))

/** A cell in the file. */
const Entry = Schema.Struct({
  number: CellNumber,
  /** Left out: the database of the home cell, whose own is that of the other flags. */
  url: Schema.optionalKey(Schema.NonEmptyString),
  schema: Schema.optionalKey(Schema.NonEmptyString),
  weight: Schema.optionalKey(Weight),
  pooled: Schema.optionalKey(Schema.Boolean),
  notifyUrl: Schema.optionalKey(Schema.NonEmptyString),
  /** Whether Citus distributes the schema, with its coordinator at the URL. */
  citus: Schema.optionalKey(Schema.Boolean)
})
export type CellEntry = typeof Entry.Type

const File = Schema.Struct({ cells: Schema.NonEmptyArray(Entry) })

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(File), { onExcessProperty: "error" })

/** What a file has to be. */
const FORM =
  'it is not {"cells": [{"number": 0 to 255, "url"?, "schema"?, "weight"? (0 to 1000), "pooled"?, "notifyUrl"?, "citus"?}, ...]}'

/** How many new organizations a cell gets in proportion to the others, unless its entry says it. */
const WEIGHT = 1

/** The schema of a cell in the home cell's database. */
const schemaOf = (number: CellNumber) => `${DEFAULT_SCHEMA}_cell_${number}`

const wrong = (file: string, reason: string) => new StartupError({ message: `--cells: ${file}: ${reason}` })

const databaseIn = Effect.fnUntraced(function* (
  file: string,
  { number, url, schema, pooled = false, notifyUrl, citus = false }: CellEntry
) {
  if (url === undefined) return undefined
  const where = `--cells: ${file}: the url of cell ${number}`
  const notifications =
    notifyUrl === undefined ? undefined : yield* parseDatabaseUrl(`${where} for notifications`, notifyUrl)
  return {
    url: yield* parseDatabaseUrl(where, url),
    schema,
    pooled,
    citus,
    ...(notifications !== undefined && { notifyUrl: notifications })
  } satisfies DatabaseChoice
})

/** A cell beside the home cell. */
export const cellOf = Effect.fnUntraced(function* (file: string, entry: CellEntry) {
  const { number, weight = WEIGHT, schema = schemaOf(number), citus = false, url, pooled, notifyUrl } = entry
  if (citus && (url === undefined || pooled === true || notifyUrl !== undefined)) {
    return yield* wrong(file, `cell ${number} is on Citus: it has the url of the coordinator, and no pooler`)
  }
  const database = (yield* databaseIn(file, entry)) ?? { schema }
  return { number, weight, database } satisfies CellChoice
})

/** The entries of the file; none where it does not exist. */
export const readEntries = Effect.fnUntraced(function* (file: string) {
  const stored = yield* storedSecret(file, "--cells: the cells")
  if (Option.isNone(stored)) return Option.none<ReadonlyArray<CellEntry>>()
  // Nothing of the file is in the message: its URLs have passwords.
  const { cells } = yield* Effect.mapError(decode(stored.value), () => wrong(file, FORM))
  return Option.some<ReadonlyArray<CellEntry>>(cells)
})

/** Writes the entries as one step. The owner alone can read the file. */
export const writeEntries = (file: string, cells: ReadonlyArray<CellEntry>) =>
  Effect.tryPromise({
    try: async () => {
      makeDirectory(path.dirname(path.resolve(file)), 0o700)
      const aside = `${file}.${process.pid}`
      await fs.writeFile(aside, `${JSON.stringify({ cells }, null, 2)}\n`, { mode: 0o600, flush: true })
      await fs.rename(aside, file)
    },
    catch: (error) => wrong(file, messageOf(error))
  })

/** The cells of the file, or of these entries in their place: what they say of the home cell, and the other cells. */
export const readCells = Effect.fnUntraced(function* (file: string, given?: ReadonlyArray<CellEntry>) {
  const entries = given ?? Option.getOrUndefined(yield* readEntries(file))
  if (entries === undefined) return yield* wrong(file, "there is no such file")
  const numbers = entries.map(({ number }) => number)
  const twice = numbers.find((number, n) => numbers.indexOf(number) < n)
  if (twice !== undefined) return yield* wrong(file, `cell ${twice} is there twice`)
  const home = entries.find(({ number }) => number === 0)
  if (home === undefined) return yield* wrong(file, "cell 0 is missing: it is the home cell")
  // It has locks that changes over cells hold, and a move of it would not wait for them.
  if (home.citus === true) return yield* wrong(file, "the home cell cannot be on Citus")
  const others = yield* Effect.forEach(
    entries.filter((entry) => entry !== home),
    (entry) => cellOf(file, entry)
  )
  const places = [home.schema ?? DEFAULT_SCHEMA, ...others.map(({ database }) => placeOf(database))]
  const shared = places.find((place, n) => places.indexOf(place) < n)
  if (shared !== undefined) return yield* wrong(file, "two cells have the same schema of the same database")
  return { home: yield* databaseIn(file, home), schema: home.schema, homeWeight: home.weight ?? WEIGHT, others }
})

/** What two cells must not share. */
const placeOf = (database: CellChoice["database"]): string =>
  "url" in database ? `${database.schema ?? DEFAULT_SCHEMA} ${Redacted.value(database.url)}` : database.schema

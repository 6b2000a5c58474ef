/** The flags that choose the storage and the keys of exit tokens, for the server and the operator's commands. */
import { DEFAULT_SCHEMA } from "@sojourn/adapter-postgres"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Config, Effect, Redacted } from "effect"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { parseDatabaseUrl, StartupError } from "@sojourn/service"
import { type CellEntry, readCells } from "../storage/cellsFile.ts"
import type { StorageChoice } from "../storage/StorageChoice.ts"
import { ISSUER_KEY_FILE } from "../keys/IssuerKey.ts"
import { tokenKeys, TOKEN_KEYS_FILE } from "../keys/TokenKeys.ts"
import { data, secret, text, yes } from "./flags.ts"

const databaseUrl = secret(
  "database-url",
  "Your PostgreSQL, which means --storage postgres: postgresql://user:password@host:port/name"
)

/** The schema of the tables, in the database at a URL and in the server's own. */
export const databaseSchema = text(
  "database-schema",
  "The schema of the database that has the tables; it is created when it is missing, and no other one is touched",
  DEFAULT_SCHEMA
)

/** The flags that say where everything is kept. */
export const placeFlags = {
  storage: Flag.String("storage").pipe(
    Flag.withFallbackConfig(Config.String("SOJOURN_STORAGE")),
    Flag.withDefault(""),
    Flag.withDescription(
      "Where everything is kept: embedded (a PostgreSQL of the server's own), memory, or postgres (yours) (SOJOURN_STORAGE; default embedded, with --database-url postgres)"
    )
  ),
  databaseUrl,
  databaseSchema,
  pooled: yes(
    "pooled",
    "A pooler before --database-url gives a session to each transaction, as PgBouncer with pool_mode = transaction does"
  ),
  notifyUrl: secret("notify-url", "Where to receive the notifications of other servers, past the pooler of --pooled"),
  data
}

/** These flags, the cells beside them, and the keys of exit tokens. */
export const storageFlags = {
  ...placeFlags,
  cells: text(
    "cells",
    "A JSON file that names the cells of the service: the database above is the home cell, and each other one has a schema or a database of its own",
    ""
  ),
  tokenKeys: secret(
    "token-keys",
    "Keys of exit tokens, the one that derives new ones first, as id:secret[,id:secret]; none: those of the data directory"
  )
}

type PlaceFlags = Command.Command.Config.Infer<typeof placeFlags>

/** What the storage flags hold. */
export type StorageFlags = Command.Command.Config.Infer<typeof storageFlags>

/** The database of `--storage postgres`. */
export const requireDatabaseUrl = (url: Redacted.Redacted<string>) =>
  parseDatabaseUrl("--database-url", Redacted.value(url))

/** The storage that the flags name: a database without one means `postgres`. */
export const storageNamed = ({ storage, databaseUrl }: Pick<PlaceFlags, "storage" | "databaseUrl">): string =>
  storage || (Redacted.value(databaseUrl) === "" ? "embedded" : "postgres")

/** The directory of the server's own PostgreSQL in a data directory. */
export const ownDatabaseIn = (data: string) => path.join(data, "postgres")

/** Where everything is kept. */
export const choose = Effect.fnUntraced(function* ({
  databaseUrl,
  databaseSchema: schema,
  notifyUrl,
  pooled,
  data,
  ...flags
}: PlaceFlags): Effect.fn.Return<StorageChoice, StartupError> {
  const storage = storageNamed({ ...flags, databaseUrl })
  if (["embedded", "memory"].includes(storage) && Redacted.value(databaseUrl) !== "") {
    return yield* new StartupError({
      message: `--database-url is of --storage postgres, and --storage is ${storage}: leave out one of them`
    })
  }
  switch (storage) {
    case "embedded":
      return { _tag: "Embedded", directory: ownDatabaseIn(data), schema }
    case "memory":
      return { _tag: "Memory" }
    case "postgres": {
      const url = yield* requireDatabaseUrl(databaseUrl)
      if (Redacted.value(notifyUrl) === "") return { _tag: "Postgres", url, schema, pooled }
      const notifications = yield* parseDatabaseUrl("--notify-url", Redacted.value(notifyUrl))
      return { _tag: "Postgres", url, schema, pooled, notifyUrl: notifications }
    }
    default:
      return yield* new StartupError({ message: `--storage is embedded, memory or postgres: ${storage}` })
  }
})

/** Where everything is kept over the cells of a file, whose cell 0 may name the database in place of the flags. */
export const chooseCells = Effect.fnUntraced(function* (
  { cells: file, ...flags }: StorageFlags,
  entries?: ReadonlyArray<CellEntry>
) {
  const { home, schema = flags.databaseSchema, ...cells } = yield* readCells(file, entries)
  if (home !== undefined && Redacted.value(flags.databaseUrl) !== "") {
    return yield* new StartupError({ message: `--cells: ${file}: cell 0 has a url, and so does --database-url` })
  }
  const { url: databaseUrl, pooled, notifyUrl } = { ...flags, url: flags.databaseUrl, ...home }
  const choice = yield* choose({ ...flags, databaseUrl, databaseSchema: schema, pooled, notifyUrl })
  return choice._tag === "Memory"
    ? yield* new StartupError({ message: "--cells is of --storage embedded or postgres" })
    : { ...choice, cells }
})

/** Whether the data directory has what a choice needs of it. */
export const hasData = ({ data, tokenKeys }: StorageFlags, { _tag }: StorageChoice): boolean => {
  const needed = [
    ...(_tag === "Embedded" ? [ownDatabaseIn(data)] : []),
    ...(_tag === "Memory" ? [path.join(data, ISSUER_KEY_FILE)] : []),
    ...(_tag !== "Memory" && Redacted.value(tokenKeys) === "" ? [path.join(data, TOKEN_KEYS_FILE)] : [])
  ]
  return needed.every((file) => existsSync(file))
}

/** Refuses a data directory without data, for commands that read it: these make none. */
export const requireData = (flags: StorageFlags, choice: StorageChoice): Effect.Effect<void, StartupError> =>
  hasData(flags, choice)
    ? Effect.void
    : Effect.fail(
        new StartupError({
          message: `there is no data in ${flags.data}: name its directory with --data, or start sojourn serve, which makes it`
        })
      )

/** Where everything is kept. */
export const choiceOf = (flags: StorageFlags): Effect.Effect<StorageChoice, StartupError> =>
  flags.cells === "" ? choose(flags) : chooseCells(flags)

/** Where everything is kept, and with which keys, which are made when there are none. */
export const storageOf = Effect.fnUntraced(function* (flags: StorageFlags) {
  const choice = yield* choiceOf(flags)
  return { choice, keys: yield* tokenKeys(flags.data, flags.tokenKeys) }
})

/** The same of a service that was started before: nothing is made. */
export const existingStorageOf = Effect.fnUntraced(function* (flags: StorageFlags) {
  yield* requireData(flags, yield* choiceOf(flags))
  return yield* storageOf(flags)
})

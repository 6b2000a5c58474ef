/** The lifecycle of an embedded server: start, restart, durability, settings, TCP, refused directories and logs. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { EmbeddedPostgres, make } from "../src/index.ts"
import { connect, temporary } from "./programs.ts"

const Database = Layer.unwrap(EmbeddedPostgres.useSync((server) => PgClient.layer({ ...server.connection }))).pipe(
  Layer.provideMerge(EmbeddedPostgres.layerTemporary())
)

describe("EmbeddedPostgres", () => {
  it.live("a temporary server is not durable, and its directory is removed at the end", () =>
    Effect.gen(function* () {
      const program = Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const { dataDirectory } = yield* EmbeddedPostgres
        assert.deepStrictEqual(yield* sql`SELECT current_setting('fsync') AS fsync`, [{ fsync: "off" }])
        return dirname(dataDirectory)
      })
      const directory = yield* Effect.provide(program, Database)
      assert.isFalse(existsSync(directory))
    })
  )

  it.live(
    "it is durable, in UTF-8, UTC and a fixed collation, data survives a restart, and options override what they may",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporary, "new", `it's "odd", ünd $HOME; \\ %s`, "long".repeat(40))
        const names = ["fsync", "synchronous_commit", "full_page_writes", "TimeZone", "server_encoding", "jit"]
        const settings = Effect.fnUntraced(function* (options: Omit<Parameters<typeof make>[0], "directory">) {
          const server = yield* make({ directory, ...options })
          assert.strictEqual(server.dataDirectory, join(directory, "data"))
          const host = new URL(Redacted.value(server.url())).searchParams.get("host")
          assert.strictEqual(host, dirname(server.connection.path ?? ""))
          const sql = yield* connect(server.connection)
          const [{ collation } = {}] =
            yield* sql`SELECT datlocprovider::text || datlocale AS collation FROM pg_database`
          assert.strictEqual(collation, "bC.UTF-8")
          if (server.isFresh) yield* sql`CREATE TABLE word AS SELECT 'kept' AS text`
          assert.deepStrictEqual(yield* sql`SELECT text FROM word`, [{ text: "kept" }])
          const values = yield* Effect.forEach(names, (name) =>
            Effect.map(sql`SELECT current_setting(${name}) AS value`, ([row]) => row?.["value"])
          )
          return [server.isFresh, ...values]
        }, Effect.scoped)
        assert.deepStrictEqual(yield* settings({}), [true, "on", "on", "on", "UTC", "UTF8", "off"])
        const other = { durability: "fast", settings: { jit: "on", TimeZone: "Europe/Zurich" } } as const
        assert.deepStrictEqual(yield* settings(other), [false, "off", "off", "off", "Europe/Zurich", "UTF8", "on"])
      })
  )

  it.live("over TCP it listens on loopback alone and requires the password", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const server = yield* make({ directory, durability: "fast", transport: "tcp" })
      const { connection } = server
      assert.strictEqual(connection.host, "127.0.0.1")
      assert.isUndefined(connection.path)
      const sql = yield* connect(connection)
      const [row] = yield* sql`SELECT current_setting('listen_addresses') AS address, current_user AS me`
      assert.deepStrictEqual(row, { address: "127.0.0.1", me: "postgres" })
      const guess = yield* connect({ ...connection, password: Redacted.make("guess") })
      assert.strictEqual((yield* Effect.flip(guess`SELECT 1`)).reason._tag, "AuthenticationError")
      const { password, ...without } = connection
      assert.notInclude(JSON.stringify(server.connection), Redacted.value(password ?? Redacted.make("")))
      const anonymous = yield* connect(without)
      assert.strictEqual((yield* Effect.flip(anonymous`SELECT 1`)).reason._tag, "AuthenticationError")
      const url = new URL(Redacted.value(server.url("other")))
      assert.strictEqual(url.host, `127.0.0.1:${connection.port}`)
      assert.strictEqual(url.pathname, "/other")
    })
  )

  it.live("settings that the package reserves are refused, and invalid ones prevent the start", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporary, "server")
      const refusal = (settings: Record<string, string>) => Effect.flip(make({ directory, settings }))
      for (const name of ["port", "Listen_Addresses", "logging_collector", "embedded_postgres.owner"]) {
        const error = yield* refusal({ [name]: "1" })
        assert.strictEqual(error.message, `the setting ${name} is decided by this package`)
      }
      assert.strictEqual((yield* refusal({ "a=b": "1" }))._tag, "InvalidOptions")
      assert.strictEqual((yield* Effect.flip(make({ directory, startTimeout: 0 })))._tag, "InvalidOptions")
      assert.isFalse(existsSync(directory))
      const error = yield* refusal({ shared_buffers: "some" })
      assert.strictEqual(
        error.message,
        `PostgreSQL did not start in ${directory}: invalid value for parameter "shared_buffers": "some"`
      )
      yield* make({ directory })
    })
  )

  it.live("data of another major version is refused, and not touched", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      mkdirSync(join(directory, "data"))
      writeFileSync(join(directory, "data", "PG_VERSION"), "17\n")
      const error = yield* Effect.flip(make({ directory }))
      assert.strictEqual(error._tag, "OtherMajorVersion")
      assert.include(error.message, `${directory} holds data of PostgreSQL 17, and this is PostgreSQL 18`)
      assert.deepStrictEqual(readdirSync(directory, { recursive: true }).toSorted(), ["data", "data/PG_VERSION"])
    })
  )

  it.live("a directory with other files, and one that cannot be made, are refused in one line", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      writeFileSync(join(directory, "thesis.txt"), "mine")
      const error = yield* Effect.flip(make({ directory }))
      assert.strictEqual(
        error.message,
        `${directory} cannot be used: it holds other files (thesis.txt), and a server needs a directory of its own`
      )
      assert.deepStrictEqual(readdirSync(directory), ["thesis.txt"])
      const below = yield* Effect.flip(make({ directory: join(directory, "thesis.txt", "server") }))
      assert.strictEqual(below._tag, "DirectoryUnusable")
      assert.notInclude(below.message, "\n")
    })
  )

  it.live("a start removes the incomplete data of a killed one, and moves a large log aside", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      mkdirSync(join(directory, "data.new-0123456789ab", "base"), { recursive: true })
      writeFileSync(join(directory, "postgres.log"), "x".repeat(9 * 1024 * 1024))
      assert.isTrue((yield* make({ directory, durability: "fast" })).isFresh)
      const names = ["data", "holder", "lock", "password", "postgres.log", "postgres.log.1"]
      assert.deepStrictEqual(readdirSync(directory).toSorted(), names)
      assert.isBelow(statSync(join(directory, "postgres.log")).size, 100_000)
      assert.strictEqual(statSync(join(directory, "postgres.log.1")).size, 9 * 1024 * 1024)
    })
  )
})

/** The databases of a temporary server: templates, failed creation, access to the directory, and the log. */
import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { EmbeddedPostgres } from "../src/index.ts"
import { connect } from "./programs.ts"

layer(EmbeddedPostgres.layerTemporary(), { excludeTestServices: true })("a server's databases", (it) => {
  it.effect("a template can be copied repeatedly, with its contents", () =>
    Effect.gen(function* () {
      const server = yield* EmbeddedPostgres
      const names = ["plain", `with "quotes" and 'more'`, "Größe", "x".repeat(63)]
      yield* server.createDatabase("template")
      yield* Effect.scoped(
        Effect.flatMap(connect(server.connection, "template"), (sql) => sql`CREATE TABLE here AS SELECT 42 AS n`)
      )
      for (const name of names) {
        assert.isFalse(yield* server.databaseExists(name))
        yield* server.createDatabase(name, { template: "template" })
        assert.isTrue(yield* server.databaseExists(name))
        const sql = yield* connect(server.connection, name)
        assert.deepStrictEqual(yield* sql`SELECT n FROM here`, [{ n: 42 }])
        yield* server.dropDatabase(name)
        assert.isFalse(yield* server.databaseExists(name))
        yield* server.dropDatabase(name)
      }
      const temporaryName = yield* Effect.scoped(
        Effect.gen(function* () {
          const name = yield* server.temporaryDatabase({ template: "template" })
          const sql = yield* connect(server.connection, name)
          assert.deepStrictEqual(yield* sql`SELECT n FROM here`, [{ n: 42 }])
          return name
        })
      )
      assert.isFalse(yield* server.databaseExists(temporaryName))
    })
  )

  it.effect("a database that cannot be created fails with the reason", () =>
    Effect.gen(function* () {
      const { createDatabase } = yield* EmbeddedPostgres
      const refusal = (name: string, template = "template1") => Effect.flip(createDatabase(name, { template }))
      const exists = yield* refusal("postgres")
      assert.strictEqual(exists.code, "42P04")
      assert.strictEqual(exists.message, `could not create the database "postgres": database "postgres" already exists`)
      assert.strictEqual((yield* refusal("copy", "absent")).reason, `template database "absent" does not exist`)
      for (const name of ["", "a\0b", "x".repeat(64), "ü".repeat(32)]) {
        assert.strictEqual((yield* refusal(name)).reason, "a name has 1 to 63 bytes and no NUL character")
      }
    })
  )

  it.effect("only this user can access the directory", () =>
    Effect.gen(function* () {
      const { connection, dataDirectory } = yield* EmbeddedPostgres
      const directory = dirname(dataDirectory)
      const mode = (...names: ReadonlyArray<string>) => statSync(join(directory, ...names)).mode & 0o777
      assert.strictEqual(mode() & 0o066, 0)
      assert.strictEqual(mode("data"), 0o700)
      assert.strictEqual(mode("data", ".s.PGSQL.5432"), 0o700)
      for (const file of ["lock", "holder", "password", "postgres.log"]) assert.strictEqual(mode(file), 0o600)
      assert.isUndefined(connection.host)
      assert.isUndefined(connection.password)
    })
  )

  it.effect("the log contains no errors of statements, and where a setting adds them, no values of rows", () =>
    Effect.gen(function* () {
      const { connection, dataDirectory } = yield* EmbeddedPostgres
      const sql = yield* connect(connection)
      yield* sql`CREATE TABLE person (name text UNIQUE)`
      yield* sql`INSERT INTO person VALUES ('Ada Lovelace')`
      const duplicate = sql`INSERT INTO person VALUES ('Ada Lovelace')`
      const log = () => readFileSync(join(dirname(dataDirectory), "postgres.log"), "utf8")
      const error = "duplicate key value violates unique constraint"
      yield* Effect.flip(duplicate)
      assert.notInclude(log(), error)
      yield* Effect.flip(sql.withTransaction(Effect.andThen(sql`SET LOCAL log_min_messages = 'warning'`, duplicate)))
      assert.include(log(), error)
      assert.notInclude(log(), "Ada Lovelace")
    })
  )
})

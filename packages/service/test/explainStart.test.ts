/** The one line about an error of a start. */
import { MigrationFailed, SchemaTooNew, SchemaTooOld, TokenKeyDiffers } from "@sojourn/adapter-postgres"
import { SecretKeysInvalid } from "@sojourn/core"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it, vi } from "vitest"
import { explainStart, StartupError } from "../src/index.ts"
import { layerPostgres } from "../src/storage/postgres.ts"

/** An error as PostgreSQL answers it, with a SQLSTATE. */
const answered = (code: string, message: string) => {
  const cause = Object.assign(new Error(message), { code })
  return new SqlError({ reason: new UnknownError({ cause, message: "Query failed", operation: "query" }) })
}

const refusedTable = answered("42501", "permission denied for schema sojourn")

describe("the explanation of a start that failed", () => {
  it.each<readonly [string, unknown, RegExp]>([
    ["StartupError", new StartupError({ message: "the reason\n  on two lines" }), /^the reason on two lines$/],
    ["SqlError", answered("3D000", 'database "x" does not exist'), /"x" does not exist: create the database/],
    ["SqlError of the schema", refusedTable, /permission denied for schema sojourn: .*create the schema/],
    ["MigrationFailed", new MigrationFailed({ cause: refusedTable }), /permission denied for schema sojourn: .*create/],
    ["SchemaTooNew", new SchemaTooNew({ found: 9, known: 1 }), /schema version 9.*upgrade/],
    ["SchemaTooOld", new SchemaTooOld({ found: 0, needed: 1 }), /sojourn migrate/],
    ["TokenKeyDiffers", new TokenKeyDiffers({ keyId: 3 }), /exit-token key 3.*give the new one another id/],
    ["SecretKeysInvalid", new SecretKeysInvalid({ reason: "two keys have one id" }), /keys are invalid: two keys/],
    ["an error of the program", new TypeError("x is not a function"), /^x is not a function$/],
    ["a thrown text", "no reason", /^no reason$/],
    ["a long text", "long ".repeat(1000), /^(long )+.*…$/]
  ])("%s", (_, error, line) => {
    expect(explainStart(error)).toMatch(line)
    expect(explainStart(error)).toMatch(/^[^\n]{1,400}$/)
  })
})

describe("a start that waits for a database that is away", () => {
  const start = (url: string, schema?: string) => {
    const onRefused = () => Effect.die("refused later")
    const options = { keys: [], migrate: true, onRefused, ...(schema !== undefined && { schema }) }
    const storage = Layer.build(layerPostgres({ url: Redacted.make(url) }, options))
    return Effect.runPromise(Effect.scoped(Effect.as(storage, "waits")).pipe(Effect.catch(Effect.succeed)))
  }

  it("does not wait with an address that can never be right", async () => {
    vi.stubEnv("USER", undefined).stubEnv("USERNAME", undefined)
    expect(await start("postgresql://127.0.0.1:1/x")).toMatchObject({ message: expect.stringMatching(/username/) })
    expect(await start("postgresql://u@127.0.0.1:1/x", "pg_x")).toMatchObject({
      message: expect.stringMatching(/"pg_x".*own/)
    })
    expect(await start("postgresql://u@127.0.0.1:1/x?sslmode=any")).toMatchObject({
      message: expect.stringMatching(/sslmode/)
    })
    vi.unstubAllEnvs()
    expect(await start("postgresql://u@127.0.0.1:1/x")).toBe("waits")
  })
})

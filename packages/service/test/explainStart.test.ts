/** The one line about an error of a start. */
import { MigrationFailed, SchemaTooNew, SchemaTooOld, TokenKeyDiffers } from "@sojourn/adapter-postgres"
import { SecretKeysInvalid } from "@sojourn/core"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { describe, expect, it } from "vitest"
import { explainStart, StartupError } from "../src/index.ts"

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

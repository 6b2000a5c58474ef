/** What is asked of the database for a sign-in. */
import { assert, describe, it } from "@effect/vitest"
import { AdministratorId, type AdministratorName, Mail } from "@sojourn/core"
import { Effect } from "effect"
import { makeAdministratorAccounts } from "../src/accounts/AdministratorAccounts.ts"
import type { Database } from "../src/database/Database.ts"
import { makeStoring } from "../src/database/Storing.ts"

const KNOWN = AdministratorId.make("known")
const MAIL = Mail.make("known@example.test")

describe("a credential", () => {
  it.effect("takes as many statements for an unknown name as for a known one", () =>
    Effect.gen(function* () {
      const statements: Array<string> = []
      const row = { administrator_id: KNOWN, mail: MAIL, mail_key: MAIL, password_hash: "a hash" }
      const run = (text: string, parameters: ReadonlyArray<unknown>) =>
        Effect.sync(() => {
          statements.push(text)
          return parameters.some((value) => value === KNOWN || value === MAIL) ? [row] : []
        })
      const db = { run } as unknown as Database
      const accounts = makeAdministratorAccounts(db, makeStoring(db, Effect.void))
      const asked = (name: AdministratorName) =>
        Effect.map(accounts.credential(name), (found) => [found._tag, statements.splice(0)] as const)
      const [known, texts] = yield* asked({ mail: MAIL })
      assert.strictEqual(known, "Some")
      assert.deepStrictEqual(yield* asked({ administratorId: KNOWN }), ["Some", texts])
      assert.deepStrictEqual(yield* asked({ mail: Mail.make("unknown@example.test") }), ["None", texts])
      assert.deepStrictEqual(yield* asked({ administratorId: AdministratorId.make("unknown") }), ["None", texts])
    })
  )
})

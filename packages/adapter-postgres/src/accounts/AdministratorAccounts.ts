/** The port `AdministratorAccounts` in PostgreSQL. */
import {
  type AdministratorAccounts,
  administratorRegistered,
  type PasswordHash,
  recorded,
  registeredAccount,
  resolveAdministrator,
  signIn
} from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { changeAccounts } from "./accountChanges.ts"
import { findAccounts } from "./accounts.ts"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"

const CREDENTIAL = "select password_hash from administrator_account where administrator_id = $1::text"

export const makeAdministratorAccounts = (db: Database, storing: Storing): AdministratorAccounts["Service"] => ({
  register: (account) =>
    storing.by(`administrator ${account.administratorId}`).transaction("register an administrator", function* () {
      const accounts = yield* findAccounts(db, account)
      yield* changeAccounts(db, yield* Effect.fromResult(registeredAccount(account, accounts)), accounts)
      return recorded(account, administratorRegistered(account.administratorId))
    }),

  recordSignIn: (account) =>
    storing.unaudited(`administrator ${account.administratorId}`).gen("record a sign-in", function* () {
      const accounts = yield* findAccounts(db, account)
      yield* changeAccounts(db, yield* Effect.fromResult(signIn(account, accounts)), accounts)
    }),

  credential: (name) =>
    storing.gen("read a credential", function* () {
      const found = resolveAdministrator(name, yield* findAccounts(db, name))
      const account = Result.isSuccess(found) ? found.success : undefined
      // Runs without an account as well: both cases take the same number of statements, so that the time does not reveal accounts.
      const [row] = yield* db.run<{ readonly password_hash: PasswordHash | null }>(CREDENTIAL, [
        account?.administratorId ?? ""
      ])
      const passwordHash = row?.password_hash ?? undefined
      return account === undefined || passwordHash === undefined
        ? Option.none()
        : Option.some({ account, passwordHash })
    })
})

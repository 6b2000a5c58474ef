import {
  type AdministratorAccounts,
  type PasswordHash,
  registeredAccount,
  resolveAdministrator,
  signIn
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { changeAccounts } from "./accountChanges.ts"
import { findAccounts } from "./accounts.ts"
import { type Database, type Storing } from "./Database.ts"

const CREDENTIAL = "select password_hash from administrator_account where administrator_id = $1::text"

export const makeAdministratorAccounts = (db: Database, storing: Storing): AdministratorAccounts["Service"] => ({
  register: (account) =>
    storing(
      "register an administrator",
      Effect.gen(function* () {
        const accounts = yield* findAccounts(db, account)
        yield* changeAccounts(db, yield* Effect.fromResult(registeredAccount(account, accounts)), accounts)
        return account
      })
    ),

  recordSignIn: (account) =>
    storing(
      "record a sign-in",
      Effect.gen(function* () {
        const accounts = yield* findAccounts(db, account)
        yield* changeAccounts(db, yield* Effect.fromResult(signIn(account, accounts)), accounts)
      })
    ),

  credential: (name) =>
    storing(
      "read a credential",
      Effect.gen(function* () {
        const found = resolveAdministrator(name, yield* findAccounts(db, name))
        if (Result.isFailure(found)) return Option.none()
        const account = found.success
        const [row] = yield* db.run<{ readonly password_hash: PasswordHash | null }>(CREDENTIAL, [
          account.administratorId
        ])
        return Option.map(Option.fromNullishOr(row?.password_hash), (passwordHash) => ({ account, passwordHash }))
      })
    )
})

import {
  type AdministratorAccount,
  type AdministratorAccounts,
  type AdministratorId,
  type PasswordHash,
  requireNoAccount,
  resolveAdministrator,
  signIn
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { findAccounts, keepAccount, registerAccount } from "./accounts.ts"
import { type Database, Overtaken, type Storing } from "./Database.ts"
import { movePermissions } from "./invitations.ts"

const CREDENTIAL = "select password_hash from administrator_account where administrator_id = $1::text"

/** Locked until the transaction ends: nobody else takes it over, and nobody grants it anything. */
const LOCK_INVITATION = `
select from administrator_account where administrator_id = $1::text and is_invitation for update`

const REMOVE_INVITATION = "delete from administrator_account where administrator_id = $1::text"
const FREE_MAIL = "update administrator_account set mail = null, mail_key = null where administrator_id = $1::text"

export const makeAdministratorAccounts = (db: Database, storing: Storing): AdministratorAccounts["Service"] => {
  const takeOver = (invitation: AdministratorId, account: AdministratorAccount) =>
    db.transaction(
      Effect.gen(function* () {
        const locked = yield* db.run(LOCK_INVITATION, [invitation])
        if (locked.length === 0) return yield* new Overtaken()
        const { byId } = yield* findAccounts(db, { administratorId: account.administratorId })
        yield* db.run(FREE_MAIL, [invitation])
        yield* keepAccount(db, account, { byId, byMail: Option.none() })
        yield* movePermissions(db, invitation, account.administratorId)
        yield* db.run(REMOVE_INVITATION, [invitation])
      })
    )

  return {
    register: (account) =>
      storing(
        "register an administrator",
        Effect.gen(function* () {
          if (yield* registerAccount(db, account)) return account
          yield* Effect.fromResult(requireNoAccount(account, yield* findAccounts(db, account)))
          return yield* new Overtaken()
        })
      ),

    recordSignIn: (account) =>
      storing(
        "record a sign-in",
        Effect.gen(function* () {
          const accounts = yield* findAccounts(db, account)
          const change = signIn(account, accounts)
          if (change._tag === "Kept") yield* keepAccount(db, change.account, accounts)
          if (change._tag === "TakenOver") yield* takeOver(change.invitation, change.account)
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
  }
}

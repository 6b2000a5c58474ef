/** Writes changes of administrators' accounts, after a proof of an id and a mail address or on behalf of an operator. */
import type { AccountChange, AdministratorAccount, AdministratorId, NamedAccounts } from "@sojourn/core"
import { Effect, Option } from "effect"
import { findAccounts, keepAccount } from "./accounts.ts"
import { type Database, WriteConflict } from "../database/Database.ts"
import { movePermissions } from "./invitations.ts"

/** Locks an invitation until the transaction ends: it is not taken over, and no permission is granted to it. */
const LOCK_INVITATION = `
select from administrator_account where administrator_id = $1::text and is_invitation for update`

const REMOVE_INVITATION = "delete from administrator_account where administrator_id = $1::text"

const FREE_MAIL = `
update administrator_account set mail = null, mail_key = null, is_mail_unproved = false
where administrator_id = $1::text and is_mail_unproved
returning administrator_id`

const freeMail = Effect.fnUntraced(function* (db: Database, holder: AdministratorId) {
  const freed = yield* db.run(FREE_MAIL, [holder])
  // A concurrent transaction proved the address, or gave it to another account.
  if (freed.length === 0) return yield* new WriteConflict()
})

const takeOver = Effect.fnUntraced(function* (
  db: Database,
  invitation: AdministratorId,
  account: AdministratorAccount
) {
  const locked = yield* db.run(LOCK_INVITATION, [invitation])
  if (locked.length === 0) return yield* new WriteConflict()
  const { byId } = yield* findAccounts(db, { administratorId: account.administratorId })
  yield* freeMail(db, invitation)
  yield* keepAccount(db, account, { byId, byMail: Option.none() })
  yield* movePermissions(db, invitation, account.administratorId)
  yield* db.run(REMOVE_INVITATION, [invitation])
})

/** Writes a change that was decided on the accounts of a name, atomically. */
export const changeAccounts = (db: Database, change: AccountChange, accounts: NamedAccounts) => {
  switch (change._tag) {
    case "Unchanged":
      return Effect.void
    case "TakenOver":
      return db.transaction(takeOver(db, change.invitation, change.account))
    case "Kept": {
      const kept = keepAccount(db, change.account, accounts)
      if (change.displaced === undefined) return kept
      return db.transaction(Effect.andThen(freeMail(db, change.displaced), kept))
    }
  }
}

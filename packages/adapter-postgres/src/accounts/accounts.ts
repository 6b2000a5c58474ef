/**
 * Reads and writes administrators' accounts. A write compares the account with the one that was read, and fails with a
 * `WriteConflict` where it has changed: no account is locked while the core decides.
 */
import type {
  AdministratorAccount,
  AdministratorId,
  AdministratorName,
  Mail,
  NamedAccounts,
  NewAccount
} from "@sojourn/core"
import { mailKey } from "@sojourn/core"
import { Effect, Option } from "effect"
import { brokenKey, type Database, WriteConflict } from "../database/Database.ts"

export interface AccountRow {
  readonly administrator_id: AdministratorId
  readonly mail: Mail | null
  readonly is_invitation: boolean
  readonly is_mail_unproved: boolean
}

export const accountOf = (row: AccountRow): AdministratorAccount => ({
  administratorId: row.administrator_id,
  mail: row.mail ?? undefined,
  isInvitation: row.is_invitation || undefined,
  isMailUnproved: row.is_mail_unproved || undefined
})

interface NamedAccountRow extends AccountRow {
  readonly mail_key: string | null
}

const ACCOUNTS = `
select administrator_id, mail, mail_key, is_invitation, is_mail_unproved
from administrator_account
where administrator_id = $1::text or mail_key = $2::text`

/** Finds the accounts by each part of a name. */
export const findAccounts = (db: Database, { administratorId, mail }: AdministratorName) => {
  const key = mail === undefined ? null : mailKey(mail)
  return Effect.map(db.run<NamedAccountRow>(ACCOUNTS, [administratorId ?? null, key]), (rows): NamedAccounts => {
    const accountWhere = (isNamed: (row: NamedAccountRow) => boolean): Option.Option<AdministratorAccount> =>
      Option.map(Option.fromUndefinedOr(rows.find(isNamed)), accountOf)
    return {
      byId: accountWhere((row) => row.administrator_id === administratorId),
      byMail: accountWhere((row) => key !== null && row.mail_key === key)
    }
  })
}

const REGISTER = `
insert into administrator_account (administrator_id, mail, mail_key, is_invitation, is_mail_unproved, password_hash)
values ($1::text, $2::text, $3::text, $4::boolean, $5::boolean, $6::text)
on conflict do nothing returning administrator_id`

/** $1 to $5 the account, its mail address and flags; $6 the address that it had. */
const UPDATE = `
update administrator_account
set mail = $2::text, mail_key = $3::text, is_invitation = $4::boolean, is_mail_unproved = $5::boolean
where administrator_id = $1::text and mail is not distinct from $6::text
returning administrator_id`

const accountValues = ({ administratorId, mail, isInvitation, isMailUnproved }: AdministratorAccount) => [
  administratorId,
  mail ?? null,
  mail === undefined ? null : mailKey(mail),
  isInvitation ?? false,
  isMailUnproved ?? false
]

/** Registers an account; false where its id or mail address is in use. */
const registerAccount = (db: Database, account: NewAccount) =>
  Effect.map(
    db.run(REGISTER, [...accountValues(account), account.passwordHash ?? null]),
    (registered) => registered.length > 0
  )

/** Updates an account; false where it has changed since it was read, or another account has the mail address by now. */
const updateAccount = (db: Database, account: AdministratorAccount, known: AdministratorAccount) =>
  db.run(UPDATE, [...accountValues(account), known.mail ?? null]).pipe(
    Effect.map((updated) => updated.length > 0),
    Effect.catchIf(
      (error) => brokenKey(error) === "administrator_account_mail",
      () => Effect.succeed(false)
    )
  )

/**
 * Writes an account that was decided on the accounts of its name: a new one, or a known one with a changed mail address. Fails
 * with a `WriteConflict` where these accounts have changed since they were read.
 */
export const keepAccount = Effect.fnUntraced(function* (db: Database, account: NewAccount, { byId }: NamedAccounts) {
  const known = Option.getOrUndefined(byId)
  const isKept = known === undefined ? yield* registerAccount(db, account) : yield* updateAccount(db, account, known)
  if (!isKept) return yield* new WriteConflict()
})

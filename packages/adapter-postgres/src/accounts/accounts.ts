import type {
  AdministratorAccount,
  AdministratorId,
  AdministratorName,
  Mail,
  NamedAccounts,
  NewAccount,
  PermissionLevel
} from "@sojourn/core"
import { mailKey } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { brokenKey, type Database, WriteConflict } from "../database/Database.ts"

interface AccountRow {
  readonly administrator_id: AdministratorId
  readonly mail: Mail | null
  readonly mail_key: string | null
  readonly is_invitation: boolean
  readonly is_mail_unproved: boolean
}

const ACCOUNTS = `
select administrator_id, mail, mail_key, is_invitation, is_mail_unproved
from administrator_account
where administrator_id = $1::text or mail_key = $2::text`

/** The accounts that each part of a name leads to. */
export const findAccounts = (db: Database, { administratorId, mail }: AdministratorName) => {
  const key = mail === undefined ? null : mailKey(mail)
  return Effect.map(db.run<AccountRow>(ACCOUNTS, [administratorId ?? null, key]), (rows): NamedAccounts => {
    const accountWhere = (isNamed: (row: AccountRow) => boolean): Option.Option<AdministratorAccount> =>
      Option.map(Option.fromUndefinedOr(rows.find(isNamed)), (row) => ({
        administratorId: row.administrator_id,
        mail: row.mail ?? undefined,
        isInvitation: row.is_invitation || undefined,
        isMailUnproved: row.is_mail_unproved || undefined
      }))
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

/** $1 the account, its mail address and what it is to be; $6 the address that it had. */
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

/** Registers an account; answers whether its id and mail address were free. */
const registerAccount = (db: Database, account: NewAccount) =>
  Effect.map(
    db.run(REGISTER, [...accountValues(account), account.passwordHash ?? null]),
    (registered) => registered.length > 0
  )

/** Answers whether the account was still as it was known. Nobody may have come to hold the mail address meanwhile. */
const updateAccount = (db: Database, account: AdministratorAccount, known: AdministratorAccount) =>
  db.run(UPDATE, [...accountValues(account), known.mail ?? null]).pipe(
    Effect.map((updated) => updated.length > 0),
    Effect.catchIf(
      (error) => brokenKey(error) === "administrator_account_mail",
      () => Effect.succeed(false)
    )
  )

/**
 * Keeps an account as it was decided on the accounts that its name led to: a new one, or a known one with what was decided
 * of its mail address. Whoever wrote in between made the decision worthless.
 */
export const keepAccount = Effect.fnUntraced(function* (db: Database, account: NewAccount, { byId }: NamedAccounts) {
  const known = Option.getOrUndefined(byId)
  const isKept = known === undefined ? yield* registerAccount(db, account) : yield* updateAccount(db, account, known)
  if (!isKept) return yield* new WriteConflict()
})

const LEVEL = "select level from permission where organization_id = $1::bigint and administrator_id = $2::text"

/** The level of an administrator in an organization. */
export const levelIn = (db: Database, organizationId: bigint, administratorId: AdministratorId) =>
  Effect.map(
    db.run<{ readonly level: PermissionLevel }>(LEVEL, [organizationId, administratorId]),
    ([row]): Option.Option<PermissionLevel> => Option.fromNullishOr(row?.level)
  )

import type {
  AdministratorAccount,
  AdministratorId,
  AdministratorName,
  Mail,
  NamedAccounts,
  PermissionLevel
} from "@sojourn/core"
import { mailKey } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { brokenKey, type Database, Overtaken } from "./Database.ts"

interface AccountRow {
  readonly administrator_id: AdministratorId
  readonly mail: Mail | null
  readonly mail_key: string | null
}

const ACCOUNTS = `
select administrator_id, mail, mail_key from administrator_account
where administrator_id = $1::text or mail_key = $2::text`

/** The accounts that each part of a name leads to. */
export const findAccounts = (db: Database, { administratorId, mail }: AdministratorName) => {
  const key = mail === undefined ? null : mailKey(mail)
  return Effect.map(db.run<AccountRow>(ACCOUNTS, [administratorId ?? null, key]), (rows): NamedAccounts => {
    const accountWhere = (isNamed: (row: AccountRow) => boolean): Option.Option<AdministratorAccount> =>
      Option.map(Option.fromUndefinedOr(rows.find(isNamed)), (row) => ({
        administratorId: row.administrator_id,
        mail: row.mail ?? undefined
      }))
    return {
      byId: accountWhere((row) => row.administrator_id === administratorId),
      byMail: accountWhere((row) => key !== null && row.mail_key === key)
    }
  })
}

const REGISTER = `
insert into administrator_account (administrator_id, mail, mail_key) values ($1::text, $2::text, $3::text)
on conflict do nothing returning administrator_id`

const ADD_MAIL = `
update administrator_account set mail = $2::text, mail_key = $3::text
where administrator_id = $1::text and mail is null
returning administrator_id`

/** The columns `mail` and `mail_key`. */
export const mailValues = (mail: Mail | undefined) => [mail ?? null, mail === undefined ? null : mailKey(mail)]

/** Registers an account; answers whether its id and mail address were free. */
export const registerAccount = (db: Database, { administratorId, mail }: AdministratorAccount) =>
  Effect.map(db.run(REGISTER, [administratorId, ...mailValues(mail)]), (registered) => registered.length > 0)

/** Nobody may come to hold the mail address between a decision and its writing. */
export const unlessMailTaken = <A, E>(
  write: Effect.Effect<A, E | SqlError>
): Effect.Effect<A, E | SqlError | Overtaken> =>
  Effect.catchIf(
    write,
    (error) => isSqlError(error) && brokenKey(error) === "administrator_account_mail",
    () => Effect.fail(new Overtaken())
  )

/**
 * Keeps an account as it was decided on the accounts that its name led to: a new one, or a known one whose missing mail
 * address is added. Whoever wrote in between made the decision worthless.
 */
export const keepAccount = Effect.fnUntraced(function* (
  db: Database,
  account: AdministratorAccount,
  { byId }: NamedAccounts
) {
  if (Option.isSome(byId) && byId.value.mail === account.mail) return
  const isKept = Option.isNone(byId)
    ? yield* registerAccount(db, account)
    : (yield* unlessMailTaken(db.run(ADD_MAIL, [account.administratorId, ...mailValues(account.mail)]))).length > 0
  if (!isKept) return yield* new Overtaken()
})

const LEVEL = "select level from permission where organization_id = $1::bigint and administrator_id = $2::text"

/** The level of an administrator in an organization. */
export const levelIn = (db: Database, organizationId: bigint, administratorId: AdministratorId) =>
  Effect.map(
    db.run<{ readonly level: PermissionLevel }>(LEVEL, [organizationId, administratorId]),
    ([row]): Option.Option<PermissionLevel> => Option.fromNullishOr(row?.level)
  )

import { type AdministratorAccounts, requireNoAccount } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { findAccounts, mailValues, registerAccount, unlessMailTaken } from "./accounts.ts"
import { type Database, Overtaken, type Storing } from "./Database.ts"

/** An address that another account holds is left out, and so is one where the account has its own. */
const RECORD = `
insert into administrator_account (administrator_id, mail, mail_key)
select $1::text, free.mail, free.mail_key
from (select 1) one
left join (
  select $2::text as mail, $3::text as mail_key
  where not exists (select from administrator_account where mail_key = $3::text)
) free on true
on conflict (administrator_id) do update set mail = excluded.mail, mail_key = excluded.mail_key
where administrator_account.mail is null and excluded.mail is not null`

export const makeAdministratorAccounts = (db: Database, storing: Storing): AdministratorAccounts["Service"] => ({
  register: (account) =>
    storing(
      "register an administrator",
      Effect.gen(function* () {
        if (yield* registerAccount(db, account)) return account
        yield* Effect.fromResult(requireNoAccount(account, yield* findAccounts(db, account)))
        return yield* new Overtaken()
      })
    ),

  recordSignIn: ({ administratorId, mail }) =>
    storing("record a sign-in", Effect.asVoid(unlessMailTaken(db.run(RECORD, [administratorId, ...mailValues(mail)]))))
})

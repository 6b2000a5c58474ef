import { type AdministratorAccounts, mailKey, requireNoAccount } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { atomically } from "./atomically.ts"
import { findAccounts, keepAccount, type State } from "./State.ts"

export const makeAdministratorAccounts = (state: State): AdministratorAccounts["Service"] => ({
  register: (account) =>
    atomically(function* () {
      yield* requireNoAccount(account, findAccounts(state, account))
      keepAccount(state, account)
      return account
    }),

  recordSignIn: ({ administratorId, mail }) =>
    Effect.sync(() => {
      const known = state.accounts.get(administratorId)
      if (known?.mail !== undefined) return
      const isFree = mail !== undefined && !state.accountByMail.has(mailKey(mail))
      if (known === undefined || isFree) keepAccount(state, { administratorId, mail: isFree ? mail : undefined })
    })
})

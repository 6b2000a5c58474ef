import {
  type AdministratorAccounts,
  administratorRegistered,
  recorded,
  registeredAccount,
  resolveAdministrator,
  signIn
} from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { atomically, recording } from "../state/atomically.ts"
import { changeAccounts } from "./accountChanges.ts"
import { findAccounts, type State } from "../state/State.ts"

/** Accounts of administrators kept in memory. */
export const makeAdministratorAccounts = (state: State): AdministratorAccounts["Service"] => ({
  register: (account) =>
    recording(state, function* () {
      changeAccounts(state, yield* registeredAccount(account, findAccounts(state, account)))
      return recorded(account, administratorRegistered(account.administratorId))
    }),

  recordSignIn: (account) =>
    atomically(function* () {
      changeAccounts(state, yield* signIn(account, findAccounts(state, account)))
    }),

  credential: (name) =>
    Effect.sync(() => {
      const found = resolveAdministrator(name, findAccounts(state, name))
      if (Result.isFailure(found)) return Option.none()
      const passwordHash = state.passwords.get(found.success.administratorId)
      return passwordHash === undefined ? Option.none() : Option.some({ account: found.success, passwordHash })
    })
})

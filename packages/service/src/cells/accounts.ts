/**
 * Accounts and permissions over cells. The home cell has the accounts. Another cell has copies of those that its permissions need, with the
 * id alone: mail addresses and passwords are in the home cell, and are read there. What changes accounts, or grants, runs under the lock of
 * the home cell, and writes in an order whose every beginning is harmless: it says less than the whole, and the same call again does the rest.
 */
import {
  type AccountChange,
  type Act,
  type AdministratorAccount,
  AdministratorAccounts,
  administratorRegistered,
  type AdministratorId,
  AdministratorSubject,
  CellStore,
  type Permission,
  type PermissionChange,
  PermissionStore,
  premisesId,
  registeredAccount,
  signIn
} from "@sojourn/core"
import { Data, Effect, Option, Result } from "effect"
import { ask, askHolders, byBigInt, type Cells } from "./Cells.ts"
import { storeOf, storesOfSubject } from "./subjects.ts"

/** The copy of an account in a cell that is not the home cell. */
export const copyOf = ({ administratorId, isInvitation }: AdministratorAccount): AdministratorAccount => ({
  administratorId,
  isInvitation,
  isMailUnproved: isInvitation
})

/**
 * Writes a change of accounts, after its facts were read under the lock: first the permissions of an invitation in the other cells, and the
 * accounts of the home cell last. Where it is cut off, the same proof finds the invitation again.
 */
export const spreadAccounts = Effect.fnUntraced(function* (
  cells: Cells,
  change: AccountChange,
  acts: ReadonlyArray<Act> = []
) {
  const stores = cells.ports(CellStore)
  const { home } = stores
  if (change._tag !== "TakenOver") return yield* home.changeAccounts(change, acts)
  const { invitation, account } = change
  const [invited, taking] = [AdministratorSubject(invitation), AdministratorSubject(account.administratorId)]
  for (const number of yield* home.listCells(invited)) {
    const other = yield* storeOf(cells, stores, number)
    yield* home.addCell(taking, number)
    const { byId } = yield* other.findAccounts({ administratorId: invitation })
    if (Option.isSome(byId)) yield* other.changeAccounts({ _tag: "TakenOver", invitation, account: copyOf(account) })
  }
  yield* home.changeAccounts(change, acts)
  yield* home.removeSubject(invited)
})

export const makeAdministratorAccounts = (cells: Cells): AdministratorAccounts["Service"] => {
  const { home } = cells.ports(CellStore)
  return {
    register: (account) =>
      home.locked(
        Effect.gen(function* () {
          const facts = yield* home.findAccounts(account)
          const change = yield* Effect.fromResult(registeredAccount(account, facts))
          yield* spreadAccounts(cells, change, [administratorRegistered(account.administratorId)])
          return account
        })
      ),

    recordSignIn: (account) => {
      const decided = Effect.flatMap(home.findAccounts(account), (facts) => Effect.fromResult(signIn(account, facts)))
      return Effect.flatMap(decided, ({ _tag }) =>
        // Nearly always nothing changes, and nothing waits for the lock.
        _tag === "Unchanged"
          ? Effect.void
          : home.locked(Effect.flatMap(decided, (change) => spreadAccounts(cells, change)))
      )
    },

    credential: cells.ports(AdministratorAccounts).home.credential
  }
}

/** Reads the mail addresses of administrators, and answers how a permission is with its own. */
const mailsOf = (cells: Cells, ids: ReadonlyArray<AdministratorId>) => {
  if (ids.length === 0) return Effect.succeed((permission: Permission) => permission)
  return Effect.map(cells.ports(CellStore).home.listAccounts([...new Set(ids)]), (accounts) => {
    const mails = new Map(accounts.map(({ administratorId, mail }) => [administratorId, mail] as const))
    return (permission: Permission): Permission => ({ ...permission, mail: mails.get(permission.administratorId) })
  })
}

/** Gives permissions that other cells than the home cell answered the mail addresses of their accounts. */
export const withMails = (cells: Cells, permissions: ReadonlyArray<Permission>) =>
  Effect.map(
    mailsOf(
      cells,
      permissions.map(({ administratorId }) => administratorId)
    ),
    (withMail) => permissions.map(withMail)
  )

/** A permission is to be granted, whose account has to be in the cell first. */
class ToGrant extends Data.TaggedError("ToGrant")<{
  readonly change: Extract<PermissionChange, { readonly _tag: "Grant" }>
}> {}

export const makePermissionStore = (cells: Cells): PermissionStore["Service"] => {
  const [permissions, accounts] = [cells.ports(PermissionStore), cells.ports(CellStore)]
  const { home } = accounts

  const listByOrganization: PermissionStore["Service"]["listByOrganization"] = (organizationId) => {
    const store = permissions.at(organizationId)
    const listed = store.listByOrganization(organizationId)
    return store === permissions.home ? listed : Effect.flatMap(listed, (own) => withMails(cells, own))
  }

  return {
    change: (change) => {
      const { organizationId, administrator, decide } = change
      const store = permissions.at(organizationId)
      if (store === permissions.home) return home.locked(store.change(change))
      return home.locked(
        Effect.gen(function* () {
          const named = yield* home.findAccounts(administrator)
          const bound = (yield* store.listByOrganization(organizationId)).map(({ administratorId }) => administratorId)
          const withMail = yield* mailsOf(cells, bound)
          const decided = (facts: { readonly permissions: ReadonlyArray<Permission> }) =>
            decide({ permissions: facts.permissions.map(withMail), accounts: named })
          const first = yield* store
            .change({
              organizationId,
              administrator,
              decide: (facts) =>
                Result.flatMap(decided(facts), (asked): Result.Result<PermissionChange, ToGrant> =>
                  asked._tag === "Grant" ? Result.fail(new ToGrant({ change: asked })) : Result.succeed(asked)
                )
            })
            .pipe(
              Effect.map(withMail),
              Effect.catchIf(
                (error): error is ToGrant => error instanceof ToGrant,
                (error) => Effect.succeed(error)
              )
            )
          if (!(first instanceof ToGrant)) return first
          // Nothing else changes the permissions of the organization under the lock.
          const { permission, account } = first.change
          const { administratorId } = permission
          if (Option.isSome(account)) yield* home.changeAccounts({ _tag: "Kept", account: account.value })
          const { byId } = yield* home.findAccounts({ administratorId })
          const held = Option.getOrElse(byId, (): AdministratorAccount => ({ administratorId }))
          yield* home.addCell(AdministratorSubject(administratorId), cells.at(organizationId).number)
          yield* accounts.at(organizationId).changeAccounts({ _tag: "Kept", account: copyOf(held) })
          const granted = yield* store.change({
            organizationId,
            administrator,
            decide: (facts) =>
              Result.map(decided(facts), (asked) =>
                asked._tag === "Grant" ? { ...asked, account: Option.none() } : asked
              )
          })
          return { ...granted, mail: held.mail }
        })
      )
    },

    membership: (premises, reader) => permissions.at(premisesId(premises)).membership(premises, reader),

    memberships: (keys) =>
      askHolders(
        permissions,
        keys,
        ({ organizationId }) => organizationId,
        (store, own) => store.memberships(own)
      ),

    listByOrganization,

    listByAdministrator: (administratorId) =>
      Effect.gen(function* () {
        const stores = yield* storesOfSubject(cells, permissions, AdministratorSubject(administratorId))
        const lists = yield* ask(stores, (store) => store.listByAdministrator(administratorId))
        const [own = [], ...others] = lists
        const elsewhere = yield* withMails(cells, others.flat())
        return [...own, ...elsewhere].sort(byBigInt(({ organizationId }) => organizationId))
      })
  }
}

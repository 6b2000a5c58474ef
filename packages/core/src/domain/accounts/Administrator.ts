import type * as Brand from "effect/Brand"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AdministratorId } from "../shared/Ids.ts"
import { type Mail, sameMail } from "../shared/Mail.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** An administrator that the service knows: registered by an operator, created by an owner, or once signed in. */
export interface AdministratorAccount {
  readonly administratorId: AdministratorId
  readonly mail?: Mail | undefined
  /** Made for a mail address, under an unused id: the first caller who proves to have the address takes it over. */
  readonly isInvitation?: boolean | undefined
  /** An owner wrote the mail address down, and it was never proved. True of every invitation. */
  readonly isMailUnproved?: boolean | undefined
}

/** A password as it is kept: enough to recognize the password, and too little to find it. */
export type PasswordHash = string & Brand.Brand<"PasswordHash">

/** An account that is made together with what proves it, where that is a password. */
export interface NewAccount extends AdministratorAccount {
  readonly passwordHash?: PasswordHash | undefined
}

/** How a request names an administrator: by id, by mail address, or by both in agreement. */
export interface AdministratorName {
  readonly administratorId?: AdministratorId | undefined
  readonly mail?: Mail | undefined
}

/** The accounts that each part of an {@link AdministratorName} leads to; none where that part names no account. */
export interface NamedAccounts {
  readonly byId: Option.Option<AdministratorAccount>
  readonly byMail: Option.Option<AdministratorAccount>
}

/** No administrator has the id or the mail address (spec: accounts#binding). */
export class AdministratorNotFound extends TaggedError(
  "AdministratorNotFound",
  "no account has this id or this proved mail address"
)<AdministratorName> {}

/** The id names one administrator and the mail address another. */
export class AdministratorsDiffer extends TaggedError(
  "AdministratorsDiffer",
  "the id and the mail address belong to different administrators"
)<AdministratorName> {}

/** The id or the mail address already has an account (spec: accounts#new-account). */
export class AdministratorExists extends TaggedError(
  "AdministratorExists",
  "an account with this id or mail address exists"
)<AdministratorName> {}

/** The one account that a name leads to. */
export const resolveAdministrator = (
  name: AdministratorName,
  accounts: NamedAccounts
): Result.Result<AdministratorAccount, AdministratorNotFound | AdministratorsDiffer> => {
  const missesId = name.administratorId !== undefined && Option.isNone(accounts.byId)
  const missesMail = name.mail !== undefined && Option.isNone(accounts.byMail)
  const found = Option.orElse(accounts.byId, () => accounts.byMail)
  if (missesId || missesMail || Option.isNone(found)) return Result.fail(new AdministratorNotFound(name))
  return Option.isSome(accounts.byMail) && accounts.byMail.value.administratorId !== found.value.administratorId
    ? Result.fail(new AdministratorsDiffer(name))
    : Result.succeed(found.value)
}

/** Is the mail address an owner's word alone? */
const isUnproved = ({ isMailUnproved }: AdministratorAccount): boolean => isMailUnproved === true

/**
 * The account that a binding names. A mail address that is an owner's word alone names no account: an owner may write down any
 * address beside an id of their own. An invitation is the exception, as only the proof of its address takes it over.
 */
export const accountToBind = (
  name: AdministratorName,
  accounts: NamedAccounts
): Result.Result<AdministratorAccount, AdministratorNotFound | AdministratorsDiffer> =>
  Result.flatMap(resolveAdministrator(name, accounts), (account) =>
    name.administratorId === undefined && isUnproved(account) && account.isInvitation !== true
      ? Result.fail(new AdministratorNotFound(name))
      : Result.succeed(account)
  )

/** Requires that neither the id nor the mail address has an account. */
export const requireNoAccount = (
  name: AdministratorName,
  accounts: NamedAccounts
): Result.Result<void, AdministratorExists> =>
  Option.isSome(accounts.byId) || Option.isSome(accounts.byMail)
    ? Result.fail(new AdministratorExists(name))
    : Result.void

/**
 * The caller has the id of an invitation and did not prove its mail address: the id alone gives none of its permissions.
 */
export class InvitationNotProved extends TaggedError(
  "InvitationNotProved",
  "the id belongs to an invitation whose mail address is not proved"
)<{
  readonly administratorId: AdministratorId
}> {}

/** What becomes of the accounts when an administrator's id is proved, or a mail address of theirs as well. */
export type AccountChange =
  | { readonly _tag: "Unchanged" }
  | {
      readonly _tag: "Kept"
      readonly account: AdministratorAccount
      /** Whose the mail address is no more, as they had not proved it. */
      readonly displaced?: AdministratorId | undefined
    }
  /** The invitation is gone, and its permissions are the account's. */
  | { readonly _tag: "TakenOver"; readonly invitation: AdministratorId; readonly account: AdministratorAccount }

/**
 * A caller who proves to be an administrator has an account from then on, with the mail address that was proved unless they proved
 * another before (spec: accounts#proved-mail). An address that another administrator proved stays theirs. Where it was an owner's word
 * alone, an invitation that was made for it is taken over, and any other account goes on without it: an owner may write down any address.
 *
 * The id of an invitation is known to the owner who made it, and some issuers let people choose their ids. So it proves nothing
 * without the address (`InvitationNotProved`).
 */
export const signIn = (
  { administratorId, mail }: AdministratorAccount,
  { byId, byMail }: NamedAccounts
): Result.Result<AccountChange, InvitationNotProved> => {
  const known = Option.getOrUndefined(byId)
  const holder = Option.getOrUndefined(byMail)
  if (known?.isInvitation === true && holder?.administratorId !== administratorId)
    return Result.fail(new InvitationNotProved({ administratorId }))
  return Result.succeed(afterSignIn({ administratorId, mail }, known, holder))
}

const afterSignIn = (
  { administratorId, mail }: AdministratorAccount,
  known: AdministratorAccount | undefined,
  holder: AdministratorAccount | undefined
): AccountChange => {
  const hasProved = known?.mail !== undefined && !isUnproved(known)
  if (mail !== undefined && !hasProved) {
    const account = { administratorId, mail }
    if (holder === undefined) return { _tag: "Kept", account }
    if (holder.administratorId === administratorId) return { _tag: "Kept", account: { ...account, mail: holder.mail } }
    if (holder.isInvitation === true) return { _tag: "TakenOver", invitation: holder.administratorId, account }
    if (isUnproved(holder)) return { _tag: "Kept", account, displaced: holder.administratorId }
  }
  return known === undefined ? { _tag: "Kept", account: { administratorId } } : { _tag: "Unchanged" }
}

/**
 * The accounts after a trusted party named an administrator by id and mail address: as if the administrator had proved both,
 * unless one of the two is known to go with another.
 */
export const vouchedAccount = (
  account: { readonly administratorId: AdministratorId; readonly mail: Mail },
  accounts: NamedAccounts
): Result.Result<AccountChange, AdministratorsDiffer> => {
  const known = Option.getOrUndefined(accounts.byId)
  const holder = Option.getOrUndefined(accounts.byMail)
  const isAnothers = holder !== undefined && holder.administratorId !== account.administratorId && !isUnproved(holder)
  const hasAnother = known?.mail !== undefined && !isUnproved(known) && !sameMail(known.mail, account.mail)
  return isAnothers || hasAnother
    ? Result.fail(new AdministratorsDiffer(account))
    : Result.mapError(signIn(account, accounts), () => new AdministratorsDiffer(account))
}

/**
 * What becomes of the accounts when an operator invites the owner of a new organization by a mail address alone: nothing where an account has
 * it that proved it or is an invitation, which is the owner's then. Else there is an invitation under an unused id, also where an owner wrote the address down.
 */
export const invitedOwner = (
  invitation: { readonly administratorId: AdministratorId; readonly mail: Mail },
  { byMail }: NamedAccounts
): AccountChange => {
  const holder = Option.getOrUndefined(byMail)
  if (holder !== undefined && (holder.isInvitation === true || !isUnproved(holder))) return { _tag: "Unchanged" }
  const account = { ...invitation, isInvitation: true, isMailUnproved: true }
  return { _tag: "Kept", account, ...(holder !== undefined && { displaced: holder.administratorId }) }
}

/** The account that a change leaves: the one that it keeps, or the one that was named where it changes nothing. */
export const accountAfter = (
  change: AccountChange,
  { byId, byMail }: NamedAccounts
): Option.Option<AdministratorAccount> =>
  change._tag === "Unchanged" ? Option.orElse(byId, () => byMail) : Option.some(change.account)

/**
 * What becomes of the accounts when an operator registers one: the id has no account yet, and no account proved the mail
 * address. An address that an owner wrote down is the new account's from then on, as if its administrator had proved it.
 */
export const registeredAccount = (
  account: { readonly administratorId: AdministratorId; readonly mail: Mail },
  accounts: NamedAccounts
): Result.Result<AccountChange, AdministratorExists> =>
  Option.isSome(accounts.byId) || Option.exists(accounts.byMail, (holder) => !isUnproved(holder))
    ? Result.fail(new AdministratorExists(account))
    : Result.mapError(signIn(account, accounts), () => new AdministratorExists(account))

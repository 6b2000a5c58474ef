import type * as Brand from "effect/Brand"
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AdministratorId } from "./Ids.ts"
import { type Mail, sameMail } from "./Mail.ts"

/** An administrator that the service knows: registered by an operator, created by an owner, or once signed in. */
export interface AdministratorAccount {
  readonly administratorId: AdministratorId
  readonly mail?: Mail | undefined
  /** Made for a mail address, under an id that nobody has: whoever first proves to have the address takes it over. */
  readonly isInvitation?: boolean | undefined
  /** An owner wrote the mail address down, and nobody proved it. So it is of every invitation. */
  readonly isMailUnproved?: boolean | undefined
  /** It is proved by a password, which the owner chose who created the account, as the mail address. */
  readonly hasPassword?: boolean | undefined
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

/** The accounts that each part of an {@link AdministratorName} leads to; none where that part names nobody. */
export interface NamedAccounts {
  readonly byId: Option.Option<AdministratorAccount>
  readonly byMail: Option.Option<AdministratorAccount>
}

/** An id or a mail address names nobody (interface, section 7). */
export class AdministratorNotFound extends Data.TaggedError("AdministratorNotFound")<AdministratorName> {}

/** The id names one administrator and the mail address another. */
export class AdministratorsDiffer extends Data.TaggedError("AdministratorsDiffer")<AdministratorName> {}

/** The id or the mail address already has an account (interface, section 7). */
export class AdministratorExists extends Data.TaggedError("AdministratorExists")<AdministratorName> {}

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
 * A mail address alone does not name an account with a password to another organization, unless somebody proved that it is
 * theirs: whoever wrote it down knows the password as well.
 */
export const requireOwnAddress = (
  name: AdministratorName,
  account: AdministratorAccount
): Result.Result<void, AdministratorNotFound> =>
  name.administratorId === undefined && account.hasPassword === true && isUnproved(account)
    ? Result.fail(new AdministratorNotFound(name))
    : Result.void

/** Nobody has the id or the mail address yet. */
export const requireNoAccount = (
  name: AdministratorName,
  accounts: NamedAccounts
): Result.Result<void, AdministratorExists> =>
  Option.isSome(accounts.byId) || Option.isSome(accounts.byMail)
    ? Result.fail(new AdministratorExists(name))
    : Result.void

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
 * Whoever proves to be an administrator has an account from then on, with the mail address that was proved unless they proved
 * another before (contract, section 9). An address that somebody else proved stays with them. Where it was an owner's word alone, an
 * invitation that was made for it is taken over, and any other account goes on without it: an owner may write down anybody's.
 */
export const signIn = (
  { administratorId, mail }: AdministratorAccount,
  { byId, byMail }: NamedAccounts
): AccountChange => {
  const known = Option.getOrUndefined(byId)
  const holder = Option.getOrUndefined(byMail)
  const hasProved = known?.mail !== undefined && !isUnproved(known)
  if (mail !== undefined && !hasProved) {
    const account = { administratorId, mail }
    if (holder === undefined) return { _tag: "Kept", account }
    if (holder.administratorId === administratorId) return { _tag: "Kept", account: { ...account, mail: holder.mail } }
    if (holder.isInvitation === true) return { _tag: "TakenOver", invitation: holder.administratorId, account }
    if (isUnproved(holder)) return { _tag: "Kept", account, displaced: holder.administratorId }
  }
  if (known === undefined) return { _tag: "Kept", account: { administratorId } }
  return known.isInvitation === true
    ? { _tag: "Kept", account: { administratorId, mail: known.mail, isMailUnproved: true } }
    : { _tag: "Unchanged" }
}

/**
 * What becomes of the accounts when somebody trusted names an administrator by id and mail address: as if they had proved both,
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
    : Result.succeed(signIn(account, accounts))
}

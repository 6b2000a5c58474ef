/** Who sends a request. A caller is known by credentials alone, and each operation is for one kind of callers. */
import * as Result from "effect/Result"
import type { AdministratorId, DeviceId, OperatorId, OrganizationId, UserId } from "../shared/Ids.ts"
import type { Mail } from "../shared/Mail.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** An app user: a person whose movements are tracked (spec: accounts#callers). */
export interface User {
  readonly _tag: "User"
  readonly userId: UserId
}

/** A web-app administrator, with the mail address that the credentials vouch for, if any. */
export interface Administrator {
  readonly _tag: "Administrator"
  readonly administratorId: AdministratorId
  readonly mail?: Mail | undefined
}

/** One of the service's own administrators: provisions organizations and decides deletion requests. */
export interface Operator {
  readonly _tag: "Operator"
  readonly operatorId: OperatorId
}

/** A device of an organization, such as a door counter. It sends readings, and nothing else (spec: devices#devices). */
export interface DeviceCaller {
  readonly _tag: "Device"
  readonly deviceId: DeviceId
  readonly organizationId: OrganizationId
}

/** A device that shows what it reads of its organization, such as a screen on a wall. It sends nothing (spec: devices#displays). */
export interface DisplayCaller {
  readonly _tag: "Display"
  readonly deviceId: DeviceId
  readonly organizationId: OrganizationId
}

/** A caller whom an issuer names in a token (spec: accounts#callers). */
export type Caller = User | Administrator | Operator

/** An authenticated caller of any kind. */
export type AnyCaller = Caller | DeviceCaller | DisplayCaller

/** The kinds of caller. */
export type CallerKind = AnyCaller["_tag"]

export const User = (userId: UserId): User => ({ _tag: "User", userId })
export const Administrator = (administratorId: AdministratorId, mail?: Mail): Administrator => ({
  _tag: "Administrator",
  administratorId,
  mail
})
export const Operator = (operatorId: OperatorId): Operator => ({ _tag: "Operator", operatorId })
export const DeviceCaller = (deviceId: DeviceId, organizationId: OrganizationId): DeviceCaller => ({
  _tag: "Device",
  deviceId,
  organizationId
})

export const DisplayCaller = (deviceId: DeviceId, organizationId: OrganizationId): DisplayCaller => ({
  _tag: "Display",
  deviceId,
  organizationId
})

/** The caller of a kind and an id, as the credentials of the caller name both. */
export const callerOf = (kind: Lowercase<Caller["_tag"]>, id: string): Caller => {
  switch (kind) {
    case "user":
      return User(id as UserId)
    case "administrator":
      return Administrator(id as AdministratorId)
    case "operator":
      return Operator(id as OperatorId)
  }
}

/** The caller is of another kind than may do this (spec: accounts#kind-of-use-case). */
export class CallerOfAnotherKind extends TaggedError("CallerOfAnotherKind", "this is for callers of another kind")<{
  readonly required: CallerKind
  readonly kind: CallerKind
}> {}

const requireKind =
  <Kind extends CallerKind>(required: Kind) =>
  (caller: AnyCaller): Result.Result<Extract<AnyCaller, { readonly _tag: Kind }>, CallerOfAnotherKind> =>
    caller._tag === required
      ? Result.succeed(caller as Extract<AnyCaller, { readonly _tag: Kind }>)
      : Result.fail(new CallerOfAnotherKind({ required, kind: caller._tag }))

/** The caller as what counts of callers are kept by. */
export const nameOfCaller = (caller: AnyCaller): string => {
  switch (caller._tag) {
    case "User":
      return `user ${caller.userId}`
    case "Administrator":
      return `administrator ${caller.administratorId}`
    case "Operator":
      return `operator ${caller.operatorId}`
    case "Device":
    case "Display":
      return `device ${caller.deviceId}`
  }
}

/** The caller as what a use case takes: a user, where the `Authenticator` answered one. */
export const requireUser = requireKind("User")

/** The caller as an administrator. */
export const requireAdministrator = requireKind("Administrator")

/** The caller as an operator. */
export const requireOperator = requireKind("Operator")

import {
  type AccessesOfAnother,
  type AccountLinkNotFound,
  type AdministratorExists,
  type AdministratorNotFound,
  type AdministratorsDiffer,
  type AlreadyBound,
  type AreaTooComplex,
  type AuthenticationServerMissing,
  type AuthenticationServerRefused,
  BYTES_PER_POINT,
  type DeletionRequestDecided,
  type DeletionRequestNotFound,
  type DeletionRequestOfAnother,
  describeFault,
  type DirectoriesBusy,
  type DirectoryRefused,
  type DirectoryTimeout,
  type DirectoryUnreachable,
  type ExitBeforeEntrance,
  type ExitNotMatched,
  type FavoriteExists,
  type FavoriteNotFound,
  type FavoritesOfAnother,
  formatTimestamp,
  type IdentityNotOwn,
  type InvitationNotProved,
  type LastOwnerStays,
  type LevelAboveOwn,
  type LinkedToAnother,
  type NotLinked,
  type OnlyOwner,
  type OnlyLevelChanges,
  type OrganizationNameTaken,
  type OrganizationNotFound,
  type PasswordsBusy,
  type PermissionNotFound,
  type PermissionTooLow,
  type PlaceNotFound,
  type PlaceOutsideOrganization,
  type PlacesOverlap,
  type PlacesTooDetailed,
  type PlaceStaysInOrganization,
  type PremisesNotFound,
  type SignInDelayed,
  type SignInRefused,
  type StoreError,
  type TimestampInFuture,
  type TooManyDirectoryQuestions,
  type TooManyPlaces,
  type TrackingAreaMalformed,
  type TrackingAreaTooLarge
} from "@sojourn/core"
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import {
  BadGateway,
  BadRequest,
  Conflict,
  Forbidden,
  GatewayTimeout,
  NotFound,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized
} from "../api/refusals.ts"
import { errorOf, noteFailure, requestSource } from "../failure.ts"
import { countOverload } from "../overload.ts"
import { sayRetryAfter } from "../pipeline/retryAfter.ts"

type Failure =
  | AccessesOfAnother
  | AccountLinkNotFound
  | AdministratorExists
  | AdministratorNotFound
  | AdministratorsDiffer
  | AlreadyBound
  | AreaTooComplex
  | AuthenticationServerMissing
  | AuthenticationServerRefused
  | DeletionRequestDecided
  | DeletionRequestNotFound
  | DeletionRequestOfAnother
  | DirectoriesBusy
  | DirectoryRefused
  | DirectoryTimeout
  | DirectoryUnreachable
  | ExitBeforeEntrance
  | ExitNotMatched
  | FavoriteExists
  | FavoriteNotFound
  | FavoritesOfAnother
  | IdentityNotOwn
  | InvitationNotProved
  | LastOwnerStays
  | LevelAboveOwn
  | LinkedToAnother
  | NotLinked
  | OnlyOwner
  | OnlyLevelChanges
  | OrganizationNameTaken
  | OrganizationNotFound
  | PasswordsBusy
  | PermissionNotFound
  | PermissionTooLow
  | PlaceNotFound
  | PlaceOutsideOrganization
  | PlacesOverlap
  | PlacesTooDetailed
  | PlaceStaysInOrganization
  | PremisesNotFound
  | SignInDelayed
  | SignInRefused
  | StoreError
  | TimestampInFuture
  | TooManyDirectoryQuestions
  | TooManyPlaces
  | TrackingAreaMalformed
  | TrackingAreaTooLarge

type Tag = Failure["_tag"]
type Named<T extends Tag> = Extract<Failure, { readonly _tag: T }>

/** The status of each refusal of the core, where an endpoint says nothing else (interface, section 7; contract, 3). */
const STATUS = {
  AccessesOfAnother: Forbidden,
  AccountLinkNotFound: NotFound,
  AdministratorExists: BadRequest,
  AdministratorNotFound: NotFound,
  AdministratorsDiffer: BadRequest,
  AlreadyBound: BadRequest,
  AreaTooComplex: BadRequest,
  AuthenticationServerMissing: BadRequest,
  AuthenticationServerRefused: BadRequest,
  DeletionRequestDecided: Conflict,
  DeletionRequestNotFound: NotFound,
  DeletionRequestOfAnother: BadRequest,
  DirectoriesBusy: ServiceUnavailable,
  DirectoryRefused: Forbidden,
  DirectoryTimeout: GatewayTimeout,
  DirectoryUnreachable: BadGateway,
  ExitBeforeEntrance: BadRequest,
  ExitNotMatched: BadRequest,
  FavoriteExists: BadRequest,
  FavoriteNotFound: NotFound,
  FavoritesOfAnother: Forbidden,
  IdentityNotOwn: Forbidden,
  InvitationNotProved: Unauthorized,
  LastOwnerStays: Forbidden,
  LevelAboveOwn: BadRequest,
  LinkedToAnother: Forbidden,
  NotLinked: Forbidden,
  OnlyOwner: Conflict,
  OnlyLevelChanges: BadRequest,
  OrganizationNameTaken: BadRequest,
  OrganizationNotFound: NotFound,
  PasswordsBusy: ServiceUnavailable,
  PermissionNotFound: NotFound,
  PermissionTooLow: Forbidden,
  PlaceNotFound: NotFound,
  PlaceOutsideOrganization: BadRequest,
  PlacesOverlap: BadRequest,
  PlacesTooDetailed: BadRequest,
  PlaceStaysInOrganization: BadRequest,
  PremisesNotFound: NotFound,
  SignInDelayed: TooManyRequests,
  SignInRefused: BadRequest,
  StoreError: ServiceUnavailable,
  TimestampInFuture: BadRequest,
  TooManyDirectoryQuestions: TooManyRequests,
  TooManyPlaces: BadRequest,
  TrackingAreaMalformed: BadRequest,
  TrackingAreaTooLarge: BadRequest
} as const satisfies { readonly [T in Tag]: unknown }

/** What a client developer should do about each refusal. Nothing here tells more than the status may. */
const DETAIL: { readonly [T in Tag]: (failure: Named<T>) => string } = {
  AccessesOfAnother: () => "Ask for one orgAuthServerId: the one that your account is linked to.",
  AccountLinkNotFound: () => "Your account is not linked to this organization.",
  AdministratorExists: () => "The id or the mail address has an account: bind it instead.",
  AdministratorNotFound: () =>
    "No account is known by this id, or this mail address is not proved: name the administrator by id, or create one.",
  AdministratorsDiffer: () => "The id and the mail address name two administrators: send one of them.",
  AlreadyBound: () => "The administrator is bound to the organization already: update the permission instead.",
  AreaTooComplex: ({ mostWork }) =>
    `Comparing this area with the others of the organization exceeds the ${mostWork} units of work of one decision: draw it with fewer points.`,
  AuthenticationServerMissing: () => "The organization has no authenticationServerURL: set one first.",
  AuthenticationServerRefused: ({ reason }) => `The authenticationServerURL is refused: ${reason}.`,
  DeletionRequestDecided: ({ status }) => `The request was ${status} already.`,
  DeletionRequestNotFound: () => "There is no such deletion request.",
  DeletionRequestOfAnother: () => "Leave out administratorId, or send your own.",
  DirectoriesBusy: () => "Too many questions to authentication servers are underway: try again later.",
  DirectoryRefused: () => "The organization's authentication server refuses these credentials.",
  DirectoryTimeout: () => "The organization's authentication server does not answer in time: try again later.",
  DirectoryUnreachable: () => "The organization's authentication server cannot be reached.",
  ExitBeforeEntrance: ({ entrance }) => `The entrance was at ${formatTimestamp(entrance)}: nobody leaves before.`,
  ExitNotMatched: () => "The exitToken closes no stay here at this time.",
  FavoriteExists: () => "The organization is a favorite already.",
  FavoriteNotFound: () => "The organization is no favorite.",
  FavoritesOfAnother: () => "Leave out userId, or send your own.",
  IdentityNotOwn: () => "Leave out orgAuthServerId, or send the one that your account is linked to.",
  InvitationNotProved: () =>
    "This id is of an invitation: call under an id of your own, with the mail address of the invitation in the token.",
  LastOwnerStays: () => "An organization keeps at least one owner: make somebody else an owner first.",
  LevelAboveOwn: ({ own }) => `Nobody grants more than their own level, which is ${own}.`,
  LinkedToAnother: () => "The person is linked to another user, who must unlink first.",
  NotLinked: () => "Link your account to the organization's account first.",
  OnlyOwner: ({ organizationIds }) =>
    `The administrator is the only owner of ${organizationIds.join(", ")}: make somebody else an owner there first.`,
  OnlyLevelChanges: ({ field }) => `Only the level can change: ${field} differs from the record.`,
  OrganizationNameTaken: () => "Another organization has this name.",
  OrganizationNotFound: () => "There is no such organization.",
  PasswordsBusy: () => "Many sign in now: try again later.",
  PermissionNotFound: () => "The administrator is not bound to the organization.",
  PermissionTooLow: ({ required }) => `This needs at least the level ${required} in the organization.`,
  PlaceNotFound: () => "There is no such place.",
  PlaceOutsideOrganization: ({ fault }) => describeFault(fault),
  PlacesOverlap: ({ fault, placeId }) => `Place ${placeId} is in the way. ${describeFault(fault)}`,
  PlacesTooDetailed: ({ points, mostPoints }) =>
    `The places of the organization may have ${mostPoints} points in all, and would have ${points}: draw them with fewer points. A long text counts as a point for each ${BYTES_PER_POINT} bytes.`,
  PlaceStaysInOrganization: () => "A place never moves: leave out organizationId, or send the place's own.",
  PremisesNotFound: () => "There is no such organization or place.",
  SignInDelayed: ({ wait }) =>
    `Too many attempts from your network failed for this username: try again in ${Math.ceil(wait / 1000)} seconds.`,
  SignInRefused: () => "The username and password prove nobody.",
  StoreError: () => "Try again later.",
  TimestampInFuture: ({ now }) => `The timestamp lies more than 5 minutes after ${formatTimestamp(now)}.`,
  TooManyDirectoryQuestions: () =>
    "You have too many questions to authentication servers underway: wait for an answer first.",
  TooManyPlaces: ({ mostPlaces }) =>
    `The organization may have ${mostPlaces} places, and has as many: remove one first.`,
  TrackingAreaMalformed: ({ fault }) => describeFault(fault),
  TrackingAreaTooLarge: ({ area, maxArea }) =>
    `The area has ${Math.ceil(area)} square metres; the organization may have ${maxArea}.`
}

const storeFailures = Metric.counter("sojourn_store_failures_total", {
  description: "Operations that the storage did not do; what was refused for overload is counted apart",
  incremental: true
})

/** Registers the counter of store failures: a server whose storage never failed shows 0. */
export const registerStoreFailures = (): void => void storeFailures.valueUnsafe(Context.empty())

/** The core's refusals that are the server's trouble and not the client's: the operator hears of them. */
const report = (failure: Failure): Effect.Effect<void> => {
  switch (failure._tag) {
    case "StoreError":
      return failure.isOverload === true
        ? Effect.sync(() => countOverload(failure.operation))
        : Effect.andThen(
            Metric.update(storeFailures, 1),
            noteFailure({ message: `store failed: ${failure.operation}`, cause: failure.cause })
          )
    case "PasswordsBusy":
      return Effect.sync(() => countOverload("hash a password"))
    case "DirectoriesBusy":
      return Effect.sync(() => countOverload("ask a directory"))
    case "DirectoryUnreachable":
      return noteFailure({ message: `authentication server cannot be reached: ${failure.reason}` })
    case "DirectoryTimeout":
      return noteFailure({ message: "authentication server does not answer in time" })
    case "TooManyDirectoryQuestions":
      // The caller has to wait for an answer of its own, and not for the end of a window.
      return Effect.map(requestSource, (source) => {
        if (source !== undefined) sayRetryAfter({ source }, 1_000)
      })
    default:
      return Effect.void
  }
}

type Statuses = typeof STATUS
type Refusal = InstanceType<Statuses[Tag]>
type RefusalClass = new (props: { readonly detail: string }) => Refusal
type Refused<F extends Failure, O> = F["_tag"] extends infer T
  ? T extends keyof O
    ? O[T] extends new (props: never) => infer I
      ? I
      : never
    : T extends Tag
      ? InstanceType<Statuses[T]>
      : never
  : never

/**
 * Turns the core's refusals into the statuses of an endpoint: the usual ones, or the `exceptions` that the contract makes
 * for it. An endpoint that does not declare one of them does not compile.
 */
export const refuse = <const O extends { readonly [T in Tag]?: RefusalClass } = {}>(exceptions?: O) => {
  // One function for all that is refused: every movement passes here, and keeps what is made for it until it was written.
  const refuseCause = <F extends Failure>(cause: Cause.Cause<F>): Effect.Effect<never, Refused<F, O>> => {
    const found = errorOf(cause)
    if (Result.isFailure(found)) return Effect.failCause(found.failure)
    const failure: Failure = found.success
    const tag: Tag = failure._tag
    const refusal: RefusalClass = exceptions?.[tag] ?? STATUS[tag]
    const detail = (DETAIL[tag] as (failure: Failure) => string)(failure)
    return Effect.andThen(report(failure), Effect.fail(new refusal({ detail }) as Refused<F, O>))
  }
  return <A, F extends Failure, R>(effect: Effect.Effect<A, F, R>): Effect.Effect<A, Refused<F, O>, R> =>
    Effect.catchCause(effect, refuseCause<F>)
}

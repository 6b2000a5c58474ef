/** Maps refusals of the core to statuses, to the sentences of problems, and to the reasons in the log. */
import { BYTES_PER_POINT, describeFault, formatTimestamp, MAX_HISTORY_STEPS } from "@sojourn/core"
import type * as Core from "@sojourn/core"
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { PROBLEM_URIS, PROBLEMS } from "../api/shared/problems.ts"
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
} from "../api/shared/refusals.ts"
import { errorOf, noteFailure } from "./failure.ts"
import { countOverload } from "./overload.ts"
import { countLimited } from "./requestMetrics.ts"
import { setRetryAfter } from "./retryAfter.ts"
import { areaFaultOf } from "../wire/areas/areaFault.ts"

type TaggedErrors = {
  [T in keyof typeof Core]: (typeof Core)[T] extends abstract new (...props: never) => infer E
    ? Extract<E, { readonly _tag: T }>
    : never
}

/** The errors of the core that are refusals: all but those that the interface never answers with. */
type Failure = Exclude<
  TaggedErrors[keyof TaggedErrors],
  | Core.AreasNotCompared
  | Core.AuthenticatorUnavailable
  | Core.SecretKeysInvalid
  | Core.NotAuthenticated
  | Core.WebhookUnreachable
>

type Tag = Failure["_tag"]

/** The classes of the statuses that the core's refusals have. */
const CLASSES = {
  400: BadRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  429: TooManyRequests,
  502: BadGateway,
  503: ServiceUnavailable,
  504: GatewayTimeout
}

/** The kind of an area's fault, without where it is. */
const logFault = ({ fault }: { readonly fault: { readonly _tag: string } }) => `The area is refused: ${fault._tag}.`

/** The log line is the same as the detail: its values are numbers and words of the service's own. */
const SAME = "same"

/** What a refusal says: its detail alone, or with the text of the log and the fault of an area. */
type Said<F> =
  | (() => string)
  | readonly [
      detail: (failure: F) => string,
      log: typeof SAME | ((failure: F) => string),
      faultOf?: (failure: F) => BadRequest["areaFault"]
    ]

/**
 * What a client developer should do about each refusal of the core, whose status is that of `PROBLEMS` unless an endpoint has an
 * exception (spec: http#statuses). No detail reveals more than the status may. A detail that contains values also has a text for the log, which
 * contains nothing that a client sent, and nothing of a person or a stay. Last, the fault of an area as data.
 */
const REFUSALS = {
  AccessesOfAnother: () => "Ask for one orgAuthServerId: the one that your account is linked to.",
  AccountLinkNotFound: () => "Your account is not linked to this organization.",
  AdministratorExists: () => "The id or the mail address has an account: bind it instead.",
  AdministratorNotFound: () =>
    "No account is known by this id, or this mail address is not proved: name the administrator by id, or create one.",
  AdministratorsDiffer: () => "The id and the mail address name two administrators: send one of them.",
  AlreadyBound: () => "The administrator is bound to the organization already: update the permission instead.",
  AreaTooComplex: [
    ({ mostWork }) =>
      `Comparing this area with the others of the organization exceeds the ${mostWork} units of work of one decision: draw it with fewer points.`,
    SAME
  ],
  AuthenticationServerMissing: () => "The organization has no authenticationServerURL: set one first.",
  AuthenticationServerRefused: [
    ({ reason }) => `The authenticationServerURL is refused: ${reason}.`,
    () => "The authenticationServerURL is refused."
  ],
  CallerOfAnotherKind: [({ required, kind }) => `This is for ${required} callers; you are ${kind}.`, SAME],
  DeletionRequestDecided: [({ status }) => `The request was ${status} already.`, SAME],
  DeletionRequestNotFound: () => "There is no such deletion request.",
  DeletionRequestOfAnother: () => "Leave out administratorId, or send your own.",
  DirectoriesBusy: () => "Too many questions to authentication servers are underway: try again later.",
  DirectoryRefused: () => "The organization's authentication server refuses these credentials.",
  DirectoryTimeout: () => "The organization's authentication server does not answer in time: try again later.",
  DirectoryUnreachable: () => "The organization's authentication server cannot be reached.",
  ExitBeforeEntrance: [
    ({ entrance }) => `The entrance was at ${formatTimestamp(entrance)}: the exit cannot be earlier.`,
    () => "The exit is earlier than its entrance."
  ],
  ExitNotMatched: () => "The exitToken closes no stay here at this time.",
  FavoriteExists: () => "The organization is a favorite already.",
  FavoriteNotFound: () => "The organization is no favorite.",
  FavoritesOfAnother: () => "Leave out userId, or send your own.",
  FloorPlanInvalid: [({ reason }) => `The floor plan is refused: ${reason}.`, SAME],
  FloorPlanNotFound: () => "There is no plan of this floor.",
  HistoryRangeInvalid: [
    ({ because }) =>
      because === "FromIsNotBeforeTo"
        ? "from must be before to."
        : `The range holds more than ${MAX_HISTORY_STEPS} steps: ask for longer steps, or a part of it.`,
    SAME
  ],
  IdentityNotOwn: () => "Leave out orgAuthServerId, or send the one that your account is linked to.",
  InvitationNotProved: () =>
    "This id is of an invitation: call under an id of your own, with the mail address of the invitation in the token.",
  LastOwnerStays: () => "An organization keeps at least one owner: make another administrator an owner first.",
  LevelAboveOwn: [({ own }) => `You cannot grant more than your own level, which is ${own}.`, SAME],
  LinkedToAnother: () => "The person is linked to another user, who must unlink first.",
  MarkingNotOfMode: [
    ({ mode }) =>
      mode === "authenticated"
        ? "This muster knows its people: send orgAuthServerIds, and no count."
        : "This muster is anonymous: send a count, and no orgAuthServerIds.",
    SAME
  ],
  MusterEnded: [({ endedAt }) => `The muster ended at ${formatTimestamp(endedAt)}.`, SAME],
  MusterNotFound: () => "There is no such muster.",
  TooManyAdded: [
    ({ limit }) => `A muster holds at most ${limit} people who were not known to be inside: mark those who were.`,
    SAME
  ],
  MusterOpen: [({ musterId }) => `Muster ${musterId} of this organization is open: end it first.`, SAME],
  NotLinked: () => "Link your account to the organization's account first.",
  OnlyOwner: [
    ({ organizationIds }) =>
      `The administrator is the only owner of ${organizationIds.join(", ")}: make another administrator an owner there first.`,
    () => "The administrator is the only owner of an organization."
  ],
  OnlyLevelChanges: [({ field }) => `Only the level can change: ${field} differs from the record.`, SAME],
  OrganizationNameTaken: () => "Another organization has this name.",
  OrganizationNotFound: () => "There is no such organization.",
  PasswordsBusy: () => "Many sign in now: try again later.",
  PeopleNotTracked: () => "The organization is anonymous: it does not know who is inside.",
  PermissionNotFound: () => "The administrator is not bound to the organization.",
  PermissionTooLow: [({ required }) => `This needs at least the level ${required} in the organization.`, SAME],
  DeviceNotFound: () => "There is no such device.",
  DevicePremisesUnknown: () => "The organization has no such place for a device.",
  NotCountedByDevice: () => "The device was not made for these premises.",
  StepTooLarge: [
    ({ maxStep }) =>
      `A total grew by more than ${maxStep} at once. A sensor with larger totals sends differences in an epoch of its own.`,
    SAME
  ],
  NewEpochsTooLarge: [
    ({ maxPeople }) =>
      `New epochs of a device count at most ${maxPeople} people within a minute. A sensor keeps its epoch as long as its totals grow.`,
    SAME
  ],
  TooManyDevices: [({ maxDevices }) => `An organization has at most ${maxDevices} devices.`, SAME],
  ParentInsidePlace: () => "The parent is the place itself, or a part of it.",
  ParentNotFound: () => "The organization has no such place for a parent.",
  PlaceHasParts: () => "Other places are parts of the place: remove them first, or give them another parent.",
  PlaceNotFound: () => "There is no such place.",
  PlaceOutsideOrganization: [
    ({ fault, placeId }) =>
      `${Option.match(placeId, { onNone: () => "", onSome: (id) => `Place ${id} would not be inside. ` })}${describeFault(fault)}`,
    logFault,
    areaFaultOf
  ],
  PlaceOutsidePlace: [
    ({ fault, placeId, isParent }) =>
      `${isParent ? `It would not be inside place ${placeId}.` : `Place ${placeId} would not be inside.`} ${describeFault(fault)}`,
    logFault,
    areaFaultOf
  ],
  PlacesOverlap: [
    ({ fault, placeId }) => `Place ${placeId} is in the way. ${describeFault(fault)}`,
    logFault,
    areaFaultOf
  ],
  PlacesTooDeep: [({ maxDepth }) => `At most ${maxDepth} places may lie above one another.`, SAME],
  PlacesTooDetailed: [
    ({ points, mostPoints }) =>
      `The places of the organization may have ${mostPoints} points in all, and would have ${points}: draw them with fewer points. A long text counts as a point for each ${BYTES_PER_POINT} bytes.`,
    SAME
  ],
  PlaceStaysInOrganization: () => "A place never moves: leave out organizationId, or send the place's own.",
  PremisesNotFound: () => "There is no such organization or place.",
  SignInDelayed: [
    ({ wait }) =>
      `Too many attempts from your network failed for this username: try again in ${Math.ceil(wait / 1000)} seconds.`,
    SAME
  ],
  SignInRefused: () => "The username or the password is wrong.",
  StoreError: () => "Try again later.",
  SweptPlaceUnknown: () => "The organization of the muster has no such place.",
  TimestampInFuture: [
    ({ now }) => `The timestamp lies more than 5 minutes after ${formatTimestamp(now)}.`,
    () => "The timestamp lies more than 5 minutes in the future."
  ],
  TimestampTooOld: [
    ({ now }) => `The timestamp lies more than ten years before ${formatTimestamp(now)}.`,
    () => "The timestamp lies more than ten years in the past."
  ],
  TooManyDirectoryQuestions: () =>
    "You have too many questions to authentication servers underway: wait for an answer first.",
  TooManyFloorPlans: [({ most }) => `The organization has ${most} floor plans: remove one first.`, SAME],
  TooManyPlaces: [
    ({ mostPlaces }) => `The organization may have ${mostPlaces} places, and has as many: remove one first.`,
    SAME
  ],
  TooManyWebhooks: [
    ({ most }) => `An organization may have ${most} webhooks, and this one has as many: delete one first.`,
    SAME
  ],
  TrackingAreaMalformed: [({ fault }) => describeFault(fault), logFault, areaFaultOf],
  TrackingAreaTooLarge: [
    ({ area, maxArea }) => `The area has ${Math.ceil(area)} square metres; the organization may have ${maxArea}.`,
    SAME,
    areaFaultOf
  ],
  ReplayOutOfRange: [
    ({ range: { oldest, newest } }) =>
      oldest > newest ? "The organization has no events yet." : `The events from ${oldest} to ${newest} are kept.`,
    SAME
  ],
  WebhookNotFound: () => "There is no such webhook.",
  WebhookTestWaiting: () => "The test before was not sent yet: try again in two seconds.",
  WebhookUrlRefused: [({ reason }) => `The url is refused: ${reason}.`, () => "The url of the webhook is refused."]
} satisfies { readonly [F in Failure as F["_tag"]]: Said<F> }

const storeFailures = Metric.counter("sojourn_store_failures_total", {
  description: "Operations that the storage did not do; what was refused for overload is counted apart",
  incremental: true
})

/** Registers the counter of store failures: a server whose storage never failed shows 0. */
export const registerStoreFailures = (): void => void storeFailures.valueUnsafe(Context.empty())

/** Reports the refusals that the server causes, and not the client, to the operator. */
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
    case "SignInDelayed":
      return Effect.andThen(
        Effect.sync(() => countLimited("username")),
        setRetryAfter(failure.wait)
      )
    case "WebhookTestWaiting":
      return setRetryAfter(2_000)
    case "TooManyDirectoryQuestions":
      // The caller has to wait for an answer of its own, and not for the end of a window.
      return setRetryAfter(1_000)
    default:
      return Effect.void
  }
}

type StatusOf<T extends Tag> = InstanceType<(typeof CLASSES)[(typeof PROBLEMS)[T][0]]>
type Refusal = StatusOf<Tag>
type RefusalClass = new (props: {
  readonly type: string
  readonly detail: string
  readonly logged?: string
  readonly areaFault?: BadRequest["areaFault"]
}) => Refusal
type Refused<F extends Failure, O> = F["_tag"] extends infer T
  ? T extends keyof O
    ? O[T] extends new (props: never) => infer I
      ? I
      : never
    : T extends Tag
      ? StatusOf<T>
      : never
  : never

/**
 * Turns the core's refusals into the statuses of an endpoint: those of the table, or the `exceptions` that the specification makes
 * for it. An endpoint that does not declare one of them does not compile.
 */
export const refuse = <const O extends { readonly [T in Tag]?: RefusalClass } = {}>(exceptions?: O) => {
  // One function for all refusals: every movement passes here, and keeps what is allocated for it until its answer is written.
  const refuseCause = <F extends Failure>(cause: Cause.Cause<F>): Effect.Effect<never, Refused<F, O>> => {
    const found = errorOf(cause)
    if (Result.isFailure(found)) return Effect.failCause(found.failure)
    const failure: Failure = found.success
    const tag: Tag = failure._tag
    const said = REFUSALS[tag] as Said<Failure>
    const [describe, log, faultOf] = typeof said === "function" ? [said] : said
    const refusal: RefusalClass = exceptions?.[tag] ?? CLASSES[PROBLEMS[tag][0]]
    const detail = describe(failure)
    const props = {
      type: PROBLEM_URIS[tag],
      detail,
      logged: typeof log === "function" ? log(failure) : detail,
      ...(faultOf !== undefined && { areaFault: faultOf(failure) })
    }
    return Effect.andThen(report(failure), Effect.fail(new refusal(props) as Refused<F, O>))
  }
  return <A, F extends Failure, R>(effect: Effect.Effect<A, F, R>): Effect.Effect<A, Refused<F, O>, R> =>
    Effect.catchCause(effect, refuseCause<F>)
}

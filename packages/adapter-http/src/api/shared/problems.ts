/**
 * The kinds of problems (RFC 9457), one row each: the usual status, what it means, and what a client should do about it. Refusals, the
 * OpenAPI document and `docs/problems.md` are made of these rows. A kind keeps its name and its meaning. An endpoint may answer another
 * status than the usual one, as its documentation says.
 */
import * as Core from "@sojourn/core"
import * as Option from "effect/Option"
import { areaFaultOf, type WireAreaFault } from "../../wire/areas/areaFault.ts"

/**
 * A refusal of core means what its message says. In the detail, which clients read, the advice follows the meaning: it may contain values,
 * and reveals no more than the status may. The log has the meaning alone, which contains no value.
 */
type Row<F> = readonly [
  status: number,
  refusal: abstract new (...props: never) => F,
  advice?: string | ((failure: F) => string) | undefined,
  areaFaultOf?: (failure: F) => typeof WireAreaFault.Type
]

/** The refusals of core, by the names of its errors. */
const OF_CORE = {
  AccessesOfAnother: [
    403,
    Core.AccessesOfAnother,
    "Ask for one orgAuthServerId: the one that your account is linked to."
  ],
  AccountLinkNotFound: [404, Core.AccountLinkNotFound],
  AdministratorExists: [400, Core.AdministratorExists, "Bind it instead."],
  AdministratorNotFound: [404, Core.AdministratorNotFound, "Name the administrator by id, or create one."],
  AdministratorsDiffer: [400, Core.AdministratorsDiffer, "Send one of them."],
  AlreadyBound: [400, Core.AlreadyBound, "Update the permission instead."],
  AreaTooComplex: [
    400,
    Core.AreaTooComplex,
    ({ mostWork }) => `It may take ${mostWork} units of work: draw it with fewer points.`
  ],
  AuthenticationServerMissing: [400, Core.AuthenticationServerMissing, "Set its authenticationServerURL first."],
  AuthenticationServerRefused: [
    400,
    Core.AuthenticationServerRefused,
    ({ reason }) => `The authenticationServerURL is refused: ${reason}.`
  ],
  CallerOfAnotherKind: [
    403,
    Core.CallerOfAnotherKind,
    ({ required, kind }) => `It is for ${required} callers; you are ${kind}.`
  ],
  DeletionRequestDecided: [409, Core.DeletionRequestDecided, ({ status }) => `It was ${status}.`],
  DeletionRequestNotFound: [404, Core.DeletionRequestNotFound],
  DeletionRequestOfAnother: [400, Core.DeletionRequestOfAnother, "Leave out administratorId, or send your own."],
  DeviceNotFound: [404, Core.DeviceNotFound],
  DevicePremisesUnknown: [400, Core.DevicePremisesUnknown],
  DirectoriesBusy: [503, Core.DirectoriesBusy, "Try again later."],
  DirectoryRefused: [403, Core.DirectoryRefused],
  DirectoryTimeout: [504, Core.DirectoryTimeout, "Try again later."],
  DirectoryUnreachable: [502, Core.DirectoryUnreachable],
  ExitBeforeEntrance: [
    400,
    Core.ExitBeforeEntrance,
    ({ entrance }) => `The entrance was at ${Core.formatTimestamp(entrance)}.`
  ],
  ExitNotMatched: [400, Core.ExitNotMatched],
  FavoriteExists: [400, Core.FavoriteExists],
  FavoriteNotFound: [404, Core.FavoriteNotFound],
  FavoritesOfAnother: [403, Core.FavoritesOfAnother, "Leave out userId, or send your own."],
  FloorPlanInvalid: [400, Core.FloorPlanInvalid, ({ reason }) => `It is refused: ${reason}.`],
  FloorPlanNotFound: [404, Core.FloorPlanNotFound],
  HistoryRangeInvalid: [
    400,
    Core.HistoryRangeInvalid,
    ({ because }) =>
      because === "FromIsNotBeforeTo"
        ? "from must be before to."
        : `It may have ${Core.MAX_HISTORY_STEPS} steps: ask for longer steps, or a part of it.`
  ],
  IdentityNotOwn: [
    403,
    Core.IdentityNotOwn,
    "Leave out orgAuthServerId, or send the one that your account is linked to."
  ],
  InvitationNotProved: [
    401,
    Core.InvitationNotProved,
    "Call under an id of your own, with the mail address of the invitation in the token."
  ],
  LastOwnerStays: [403, Core.LastOwnerStays, "Make another administrator an owner first."],
  LevelAboveOwn: [400, Core.LevelAboveOwn, ({ own }) => `Your own level is ${own}.`],
  LinkedToAnother: [403, Core.LinkedToAnother, "That user must unlink first."],
  MarkingNotOfMode: [
    400,
    Core.MarkingNotOfMode,
    ({ mode }) =>
      mode === "authenticated" ? "Send orgAuthServerIds, and no count." : "Send a count, and no orgAuthServerIds."
  ],
  MusterEnded: [409, Core.MusterEnded, ({ endedAt }) => `It ended at ${Core.formatTimestamp(endedAt)}.`],
  MusterNotFound: [404, Core.MusterNotFound],
  MusterOpen: [409, Core.MusterOpen, ({ musterId }) => `End muster ${musterId} first.`],
  NewEpochsTooLarge: [
    409,
    Core.NewEpochsTooLarge,
    ({ maxPeople }) => `They may count ${maxPeople}: a sensor keeps its epoch as long as its totals grow.`
  ],
  NotCountedByDevice: [403, Core.NotCountedByDevice],
  NotLinked: [403, Core.NotLinked, "Link your account to the organization's account first."],
  OnlyLevelChanges: [400, Core.OnlyLevelChanges, ({ field }) => `${field} differs from the record.`],
  OnlyOwner: [
    409,
    Core.OnlyOwner,
    ({ organizationIds }) => `Make another administrator an owner of ${organizationIds.join(", ")} first.`
  ],
  OrganizationNameTaken: [400, Core.OrganizationNameTaken],
  OrganizationNotFound: [404, Core.OrganizationNotFound],
  ParentInsidePlace: [400, Core.ParentInsidePlace],
  ParentNotFound: [400, Core.ParentNotFound],
  PasswordsBusy: [503, Core.PasswordsBusy, "Try again later."],
  PeopleNotTracked: [400, Core.PeopleNotTracked],
  PermissionNotFound: [404, Core.PermissionNotFound],
  PermissionTooLow: [
    403,
    Core.PermissionTooLow,
    ({ required }) => `This needs at least the level ${required} in the organization.`
  ],
  PlaceHasParts: [409, Core.PlaceHasParts, "Remove them first, or give them another parent."],
  PlaceNotFound: [404, Core.PlaceNotFound],
  PlaceOutsideOrganization: [
    400,
    Core.PlaceOutsideOrganization,
    ({ fault, placeId }) =>
      `${Option.match(placeId, { onNone: () => "", onSome: (id) => `This is place ${id}. ` })}${Core.describeFault(fault)}`,
    areaFaultOf
  ],
  PlaceOutsidePlace: [
    400,
    Core.PlaceOutsidePlace,
    ({ fault, placeId, isParent }) =>
      `${isParent ? `The parent is place ${placeId}.` : `This is place ${placeId}.`} ${Core.describeFault(fault)}`,
    areaFaultOf
  ],
  PlaceStaysInOrganization: [400, Core.PlaceStaysInOrganization, "Leave out organizationId, or send the place's own."],
  PlacesOverlap: [
    400,
    Core.PlacesOverlap,
    ({ fault, placeId }) => `Place ${placeId} is in the way. ${Core.describeFault(fault)}`,
    areaFaultOf
  ],
  PlacesTooDeep: [400, Core.PlacesTooDeep, ({ maxDepth }) => `At most ${maxDepth} may.`],
  PlacesTooDetailed: [
    400,
    Core.PlacesTooDetailed,
    ({ points, mostPoints }) =>
      `They may have ${mostPoints}, and would have ${points}: draw them with fewer points. A long text counts as a point for each ${Core.BYTES_PER_POINT} bytes.`
  ],
  PositionUnknown: [400, Core.PositionUnknown, "Send `next` of the answer before, with the same path and query."],
  PremisesNotFound: [404, Core.PremisesNotFound],
  ReplayOutOfRange: [
    400,
    Core.ReplayOutOfRange,
    ({ range: { oldest, newest } }) =>
      oldest > newest ? "It has no events yet." : `It holds those from ${oldest} to ${newest}.`
  ],
  RevocationInFuture: [400, Core.RevocationInFuture, "It may be at most 5 minutes ahead."],
  SignInDelayed: [429, Core.SignInDelayed, ({ wait }) => `Try again in ${Math.ceil(wait / 1000)} seconds.`],
  SignInRefused: [400, Core.SignInRefused],
  StepTooLarge: [
    400,
    Core.StepTooLarge,
    ({ maxStep }) => `It may grow by ${maxStep}: a sensor with larger totals sends differences in an epoch of its own.`
  ],
  StoreError: [503, Core.StoreError, "Try again later."],
  SweptPlaceUnknown: [400, Core.SweptPlaceUnknown],
  TimeWindowInvalid: [
    400,
    Core.TimeWindowInvalid,
    ({ because }) => (because === "FromIsNotBeforeTo" ? "from must be before to." : "Ask for a part of it.")
  ],
  TimestampInFuture: [
    400,
    Core.TimestampInFuture,
    ({ now }) => `It may be at most 5 minutes after ${Core.formatTimestamp(now)}.`
  ],
  TimestampTooOld: [
    400,
    Core.TimestampTooOld,
    ({ now }) => `It may be at most ten years before ${Core.formatTimestamp(now)}.`
  ],
  TooManyAdded: [409, Core.TooManyAdded, ({ limit }) => `It may hold ${limit} of them: mark those who were.`],
  TooManyDevices: [409, Core.TooManyDevices, ({ maxDevices }) => `It may have ${maxDevices}.`],
  TooManyDirectoryQuestions: [429, Core.TooManyDirectoryQuestions, "Wait for an answer first."],
  TooManyFloorPlans: [409, Core.TooManyFloorPlans, ({ most }) => `It may have ${most}: remove one first.`],
  TooManyPlaces: [400, Core.TooManyPlaces, ({ mostPlaces }) => `It may have ${mostPlaces}: remove one first.`],
  TooManyWebhooks: [409, Core.TooManyWebhooks, ({ most }) => `It may have ${most}: delete one first.`],
  TrackingAreaMalformed: [400, Core.TrackingAreaMalformed, ({ fault }) => Core.describeFault(fault), areaFaultOf],
  TrackingAreaTooLarge: [
    400,
    Core.TrackingAreaTooLarge,
    ({ area, maxArea }) => `It has ${Math.ceil(area)} square metres, and may have ${maxArea}.`,
    areaFaultOf
  ],
  WebhookNotFound: [404, Core.WebhookNotFound],
  WebhookTestWaiting: [429, Core.WebhookTestWaiting, "Try again in two seconds."],
  WebhookUrlRefused: [400, Core.WebhookUrlRefused, ({ reason }) => `The url is refused: ${reason}.`]
} as const satisfies {
  readonly [Name in keyof typeof Core]?: (typeof Core)[Name] extends abstract new (...props: never) => infer F
    ? Row<F>
    : never
}

/** The refusals that the interface makes itself. */
const OF_HTTP = {
  CredentialsNotChecked: [503, "The credentials cannot be verified at the moment.", "Try again later."],
  InternalError: [500, "The server failed; its log says why."],
  MalformedRequest: [400, "The request cannot be read, or a part of it does not have its documented form."],
  MethodNotAllowed: [405, "The path does not answer this method."],
  NotAuthenticated: [401, "The credentials are missing or not valid."],
  PathNotFound: [404, "There is nothing at this path."],
  PayloadTooLarge: [413, "The body is larger than the service takes."],
  PermissionsOfAnother: [403, "An administrator may read only their own permissions."],
  RateLimited: [429, "The caller or the network has used up its rate limit."],
  RequestTimeout: [408, "The request did not arrive in time."],
  ServerUnavailable: [503, "The server has no capacity for the request now, or is shutting down."],
  SignInElsewhere: [404, "This server has no own issuer: administrators sign in at another one."],
  TooManyStreams: [503, "The server has as many presence streams as allowed.", "Try again later."],
  UnsupportedMediaType: [415, "The body has another media type, charset or coding than the endpoint takes."]
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string, advice?: string]>>

/** Every kind of problem. */
export const PROBLEMS = { ...OF_CORE, ...OF_HTTP }

/** The name of a kind of problem. */
export type ProblemKind = keyof typeof PROBLEMS

/** The errors of core that are refusals. */
export type CoreRefusal = InstanceType<(typeof OF_CORE)[keyof typeof OF_CORE][1]>

const hyphenated = (name: string): string => name.replaceAll(/(?<=.)[A-Z]/g, "-$&").toLowerCase()

/** The `type` of the problems of each kind, such as `urn:sojourn:problem:place-not-found`. */
export const PROBLEM_URIS = Object.fromEntries(
  Object.keys(PROBLEMS).map((kind) => [kind, `urn:sojourn:problem:${hyphenated(kind)}`])
) as { readonly [Kind in ProblemKind]: string }

/** What a kind of problem means, as a sentence. */
export const meaningOf = (kind: ProblemKind): string => {
  const [, meaning] = PROBLEMS[kind]
  if (typeof meaning === "string") return meaning
  const { message }: Error = meaning.prototype
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}

/** The properties of a refusal of this kind. A kind of core's also needs the `failure`. */
export const problemOf = (kind: ProblemKind, failure?: CoreRefusal) => {
  const [, , advice, areaFault] = PROBLEMS[kind] as Partial<Row<CoreRefusal | undefined>>
  const meaning = meaningOf(kind)
  const said = typeof advice === "function" ? advice(failure) : advice
  return {
    type: PROBLEM_URIS[kind],
    detail: said === undefined ? meaning : `${meaning} ${said}`,
    logged: meaning,
    ...(areaFault !== undefined && { areaFault: areaFault(failure) })
  }
}

/** The kinds of refusals that the pipeline makes itself, by status: those of which no kind is named. */
const USUAL: { readonly [status: number]: ProblemKind } = {
  401: "NotAuthenticated",
  403: "CallerOfAnotherKind",
  404: "PathNotFound",
  405: "MethodNotAllowed",
  408: "RequestTimeout",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  429: "RateLimited",
  502: "DirectoryUnreachable",
  503: "ServerUnavailable",
  504: "DirectoryTimeout"
}

/** The `type` of a problem of this status whose kind is not named. */
export const usualProblemUri = (status: number): string =>
  PROBLEM_URIS[USUAL[status] ?? (status < 500 ? "MalformedRequest" : "InternalError")]

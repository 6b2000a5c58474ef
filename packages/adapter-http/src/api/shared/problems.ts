/** The kinds of problems (RFC 9457): the usual status of each, and what it means. The server, the document and the docs use this table. */

/**
 * Every kind of problem. Those that the core refuses with have the names of its errors. A kind keeps its name and its meaning. An
 * endpoint may answer another status than the usual one, as its documentation says.
 */
export const PROBLEMS = {
  AccessesOfAnother: [403, "A user may read only the accesses of the person to whom they are linked."],
  AccountLinkNotFound: [404, "The user has no link in the organization."],
  AdministratorExists: [400, "An account with this id or mail address exists."],
  AdministratorNotFound: [404, "No account has this id or this proved mail address."],
  AdministratorsDiffer: [400, "The id and the mail address belong to different administrators."],
  AlreadyBound: [400, "The administrator is already bound to the organization."],
  AreaTooComplex: [400, "Comparing the area exceeds the work limit of one decision."],
  AuthenticationServerMissing: [400, "The organization has no authentication server."],
  AuthenticationServerRefused: [400, "The URL of the authentication server is not allowed."],
  CallerOfAnotherKind: [403, "The endpoint is for callers of another kind."],
  CredentialsNotChecked: [503, "The credentials cannot be verified at the moment."],
  DeletionRequestDecided: [409, "The deletion request is already decided."],
  DeletionRequestNotFound: [404, "The deletion request does not exist."],
  DeletionRequestOfAnother: [400, "The deletion request names another administrator than the caller."],
  DeviceNotFound: [404, "The device does not exist."],
  DevicePremisesUnknown: [400, "The organization does not have the premises of the device."],
  DirectoriesBusy: [503, "The queue of queries to authentication servers is full."],
  DirectoryRefused: [403, "The organization's authentication server refuses the credentials."],
  DirectoryTimeout: [504, "The organization's authentication server did not answer in time."],
  DirectoryUnreachable: [502, "The organization's authentication server cannot be reached."],
  ExitBeforeEntrance: [400, "The exit is before its entrance."],
  ExitNotMatched: [400, "The exit token closes no stay here at this time."],
  FavoriteExists: [400, "The organization is already a favorite."],
  FavoriteNotFound: [404, "The organization is not a favorite."],
  FavoritesOfAnother: [403, "A user may use only their own favorites."],
  FloorPlanInvalid: [400, "The floor plan is no image of its type, is too large, or its box is none."],
  FloorPlanNotFound: [404, "The organization has no plan of this floor."],
  HistoryRangeInvalid: [400, "The range of the history is empty or has too many steps."],
  IdentityNotOwn: [403, "The claimed person is not the one to whom the user is linked."],
  InternalError: [500, "The server failed; its log says why."],
  InvitationNotProved: [401, "The id belongs to an invitation whose mail address is not proved."],
  LastOwnerStays: [403, "An organization keeps at least one owner."],
  LevelAboveOwn: [400, "The granted level is above the administrator's own level."],
  LinkedToAnother: [403, "The person is linked to another user."],
  MalformedRequest: [400, "The request cannot be read, or a part of it does not have its documented form."],
  MarkingNotOfMode: [400, "People are marked by id in authenticated organizations, and counted in anonymous ones."],
  MethodNotAllowed: [405, "The path does not answer this method."],
  MusterEnded: [409, "The muster has ended."],
  MusterNotFound: [404, "The muster does not exist."],
  MusterOpen: [409, "A muster of the organization is open."],
  NewEpochsTooLarge: [409, "New epochs of the device counted too many people within a minute."],
  NotAuthenticated: [401, "The credentials are missing or not valid."],
  NotCountedByDevice: [403, "The device does not count at these premises."],
  NotLinked: [403, "The user is not linked to a person of the organization."],
  OnlyLevelChanges: [400, "Only the level of a permission can be changed."],
  OnlyOwner: [409, "The administrator is the only owner of an organization."],
  OrganizationNameTaken: [400, "Another organization has this name."],
  OrganizationNotFound: [404, "The organization does not exist."],
  ParentInsidePlace: [400, "The parent is the place itself, or a part of it."],
  ParentNotFound: [400, "The organization has no such parent place."],
  PasswordsBusy: [503, "The queue of password hashes is full."],
  PathNotFound: [404, "There is nothing at this path."],
  PayloadTooLarge: [413, "The body is larger than the service takes."],
  PeopleNotTracked: [400, "An anonymous organization does not know who is inside."],
  PermissionNotFound: [404, "The administrator is not bound to the organization."],
  PermissionTooLow: [403, "The administrator's permission level is too low, or the administrator is not bound."],
  PermissionsOfAnother: [403, "An administrator may read only their own permissions."],
  PlaceHasParts: [409, "Other places are parts of the place."],
  PlaceNotFound: [404, "The place does not exist."],
  PlaceOutsideOrganization: [400, "The place is not inside the organization's area."],
  PlaceOutsidePlace: [400, "A place is not inside its parent place."],
  PlaceStaysInOrganization: [400, "A place cannot move to another organization."],
  PlacesOverlap: [400, "The place overlaps another place of the organization."],
  PlacesTooDeep: [400, "Too many places would lie above one another."],
  PlacesTooDetailed: [400, "The places of the organization would have too many points."],
  PremisesNotFound: [404, "The organization or the place does not exist."],
  RateLimited: [429, "The caller or the network has used up its rate limit."],
  ReplayOutOfRange: [400, "The feed does not hold the event with which the replay begins."],
  RequestTimeout: [408, "The request did not arrive in time."],
  ServerUnavailable: [503, "The server has no capacity for the request now, or is shutting down."],
  SignInDelayed: [429, "Too many sign-ins failed for this username from this network."],
  SignInElsewhere: [404, "This server has no own issuer: administrators sign in at another one."],
  SignInRefused: [400, "The username or the password is wrong."],
  StepTooLarge: [400, "A total of a reading grew by too much at once."],
  StoreError: [503, "The storage could not complete the operation."],
  SweptPlaceUnknown: [400, "The organization of the muster does not have the place."],
  TimestampInFuture: [400, "The timestamp is more than five minutes in the future."],
  TimestampTooOld: [400, "The timestamp is more than ten years in the past."],
  TooManyAdded: [409, "The marking adds more people than the muster may hold who were not known to be inside."],
  TooManyDevices: [409, "The organization has as many devices as it may have."],
  TooManyDirectoryQuestions: [429, "The caller has too many queries to authentication servers in flight."],
  TooManyFloorPlans: [409, "The organization has as many floor plans as allowed."],
  TooManyPlaces: [400, "The organization has as many places as allowed."],
  TooManyStreams: [503, "The server has as many presence streams as allowed."],
  TooManyWebhooks: [409, "The organization has as many webhooks as allowed."],
  TrackingAreaMalformed: [400, "The tracking area is not a well-formed area."],
  TrackingAreaTooLarge: [400, "The tracking area is larger than the organization's areas may be."],
  UnsupportedMediaType: [415, "The body has another media type, charset or coding than the endpoint takes."],
  WebhookNotFound: [404, "The webhook does not exist."],
  WebhookTestWaiting: [429, "The test of the webhook before this one was not sent yet."],
  WebhookUrlRefused: [400, "Deliveries may not be sent to this URL."]
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string]>>

/** The name of a kind of problem. */
export type ProblemKind = keyof typeof PROBLEMS

const hyphenated = (name: string): string => name.replaceAll(/(?<=.)[A-Z]/g, "-$&").toLowerCase()

/** The `type` of the problems of each kind, such as `urn:sojourn:problem:place-not-found`. */
export const PROBLEM_URIS = Object.fromEntries(
  Object.keys(PROBLEMS).map((kind) => [kind, `urn:sojourn:problem:${hyphenated(kind)}`])
) as { readonly [Kind in ProblemKind]: string }

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

import type { Request } from "./commands.ts"

/**
 * The HTTP status of each answer of each endpoint, as the interface (sections 4 and 7) and the contract (sections 3, 8 and
 * 9) give it. An answer that is missing here is not allowed there.
 */
const STATUSES: { readonly [Tag in Request["_tag"]]: { readonly [name: string]: number } } = {
  Enter: { Done: 201, PremisesNotFound: 400, NotLinked: 403, IdentityNotOwn: 403, TimestampInFuture: 400 },
  Leave: {
    Done: 202,
    PremisesNotFound: 400,
    IdentityNotOwn: 403,
    ExitNotMatched: 400,
    TimestampInFuture: 400,
    ExitBeforeEntrance: 400
  },
  CreateOrganization: {
    Done: 201,
    TrackingAreaMalformed: 400,
    TrackingAreaTooLarge: 400,
    AuthenticationServerRefused: 400,
    AuthenticationServerMissing: 400,
    OrganizationNameTaken: 400,
    AdministratorsDiffer: 400
  },
  EditOrganization: {
    Done: 200,
    OrganizationNotFound: 404,
    PermissionTooLow: 403,
    TrackingAreaMalformed: 400,
    TrackingAreaTooLarge: 400,
    AuthenticationServerRefused: 400,
    AuthenticationServerMissing: 400,
    OrganizationNameTaken: 400,
    PlaceOutsideOrganization: 400
  },
  EditTrackingArea: {
    Done: 200,
    OrganizationNotFound: 404,
    PermissionTooLow: 403,
    TrackingAreaMalformed: 400,
    TrackingAreaTooLarge: 400,
    PlaceOutsideOrganization: 400
  },
  ConstrainArea: { Done: 200, OrganizationNotFound: 404, TrackingAreaTooLarge: 400 },
  ReadOrganization: { Done: 200, OrganizationNotFound: 404, PermissionTooLow: 403 },
  ListOrganizations: { Done: 200, Nothing: 204 },
  CreatePlace: {
    Done: 201,
    OrganizationNotFound: 403,
    PermissionTooLow: 403,
    TrackingAreaMalformed: 400,
    PlaceOutsideOrganization: 400,
    PlacesOverlap: 400,
    TooManyPlaces: 400
  },
  EditPlace: {
    Done: 200,
    PlaceNotFound: 404,
    PermissionTooLow: 403,
    TrackingAreaMalformed: 400,
    PlaceStaysInOrganization: 400,
    PlaceOutsideOrganization: 400,
    PlacesOverlap: 400
  },
  RemovePlace: { Done: 205, PlaceNotFound: 404, PermissionTooLow: 403 },
  ListPlaces: { Done: 200, Nothing: 204, PremisesNotFound: 403, PermissionTooLow: 403 },
  Register: { Done: 201, AdministratorExists: 400 },
  Bind: {
    Done: 201,
    OrganizationNotFound: 404,
    PermissionTooLow: 403,
    AdministratorNotFound: 404,
    AdministratorsDiffer: 400,
    AlreadyBound: 400
  },
  Create: { Done: 201, OrganizationNotFound: 404, PermissionTooLow: 403, AdministratorExists: 400 },
  Unbind: {
    Done: 204,
    OrganizationNotFound: 404,
    PermissionTooLow: 403,
    PermissionNotFound: 404,
    LastOwnerStays: 403
  },
  ChangeLevel: {
    Done: 201,
    OrganizationNotFound: 404,
    PermissionTooLow: 403,
    PermissionNotFound: 404,
    OnlyLevelChanges: 400,
    LastOwnerStays: 403
  },
  ListPermissions: { Done: 200, OrganizationNotFound: 404, PermissionTooLow: 403 },
  ListOwnPermissions: { Done: 200, Nothing: 204, PermissionsOfAnother: 403 },
  AddFavorite: {
    Done: 201,
    OrganizationNotFound: 404,
    FavoritesOfAnother: 403,
    NotLinked: 403,
    IdentityNotOwn: 403,
    FavoriteExists: 400
  },
  RemoveFavorite: { Done: 205, FavoritesOfAnother: 403, FavoriteNotFound: 404 },
  ListFavorites: { Done: 200, Nothing: 204, FavoritesOfAnother: 400 },
  Link: {
    Done: 201,
    OrganizationNotFound: 404,
    AuthenticationServerMissing: 400,
    DirectoryRefused: 403,
    DirectoryUnreachable: 502,
    LinkedToAnother: 403
  },
  Unlink: { Done: 205, AccountLinkNotFound: 404 },
  AskPeople: {
    Done: 200,
    Nothing: 204,
    OrganizationNotFound: 404,
    PermissionTooLow: 403,
    AuthenticationServerMissing: 400,
    DirectoryRefused: 403,
    DirectoryUnreachable: 502
  },
  RequestDeletion: { Done: 204, OrganizationNotFound: 404, PermissionTooLow: 403, DeletionRequestOfAnother: 400 },
  Decide: { Done: 204, DeletionRequestNotFound: 404, DeletionRequestDecided: 409 },
  ListDeletionRequests: { Done: 200, Nothing: 204 },
  ChangePolicy: { Done: 200, OrganizationNotFound: 404 },
  Erase: { Done: 200, OnlyOwner: 409 },
  ReadCounter: { Done: 200, PremisesNotFound: 404, PermissionTooLow: 403 },
  ReadAccessesByToken: { Done: 200, Nothing: 204 },
  ReadAccessesOfPeople: {
    Done: 200,
    Nothing: 204,
    AccessesOfAnother: 403,
    PremisesNotFound: 403,
    PermissionTooLow: 403
  },
  ReadReport: { Done: 200, Nothing: 204, PremisesNotFound: 404, PermissionTooLow: 403 },
  SetCapacity: { Done: 200, PremisesNotFound: 404, PermissionTooLow: 403 },
  ReadCapacity: { Done: 200, PremisesNotFound: 404, PermissionTooLow: 403 },
  ReadFeed: { Done: 200, OrganizationNotFound: 404, PermissionTooLow: 403 },
  ReadHistory: {
    Done: 200,
    Nothing: 204,
    HistoryRangeInvalid: 400,
    PremisesNotFound: 404,
    PermissionTooLow: 403
  },
  ListInside: { Done: 200, Nothing: 204, PremisesNotFound: 404, PermissionTooLow: 403, PeopleNotTracked: 400 },
  StartMuster: { Done: 201, OrganizationNotFound: 404, PermissionTooLow: 403, MusterOpen: 409 },
  ListMusters: { Done: 200, Nothing: 204, OrganizationNotFound: 404, PermissionTooLow: 403 },
  ReadMuster: { Done: 200, MusterNotFound: 404, PermissionTooLow: 403 },
  MarkSafe: {
    Done: 200,
    MusterNotFound: 404,
    PermissionTooLow: 403,
    MarkingNotOfMode: 400,
    MusterEnded: 409,
    TooManyAdded: 409
  },
  EndMuster: { Done: 200, MusterNotFound: 404, PermissionTooLow: 403 },
  CreateWebhook: {
    Done: 201,
    OrganizationNotFound: 404,
    PermissionTooLow: 403,
    WebhookUrlRefused: 400,
    TooManyWebhooks: 409
  },
  ListWebhooks: { Done: 200, Nothing: 204, OrganizationNotFound: 404, PermissionTooLow: 403 },
  RemoveWebhook: { Done: 204, WebhookNotFound: 404, PermissionTooLow: 403 },
  EnableWebhook: { Done: 200, WebhookNotFound: 404, PermissionTooLow: 403 },
  // No endpoints: a driver does these by itself.
  Deliver: { Done: 200 },
  KeepHistory: { Done: 200 },
  Tell: { Done: 200 }
}

type Kind = "user" | "administrator" | "operator"

const BY_USERS: ReadonlyArray<Request["_tag"]> = [
  "Enter",
  "Leave",
  "ListOrganizations",
  "AddFavorite",
  "RemoveFavorite",
  "ListFavorites",
  "Link",
  "Unlink",
  "ReadAccessesByToken"
]
const BY_USERS_AND_ADMINISTRATORS: ReadonlyArray<Request["_tag"]> = [
  "ReadOrganization",
  "ListPlaces",
  "ReadAccessesOfPeople"
]
const BY_OPERATORS: ReadonlyArray<Request["_tag"]> = [
  "CreateOrganization",
  "ConstrainArea",
  "Register",
  "Decide",
  "ListDeletionRequests",
  "ChangePolicy",
  "Erase",
  "Tell",
  "KeepHistory",
  "Deliver"
]

/** May a caller of this kind ask this (interface, section 4; contract, section 9)? All others are for administrators alone. */
export const isAdmitted = (kind: Kind, tag: Request["_tag"]): boolean =>
  BY_USERS_AND_ADMINISTRATORS.includes(tag)
    ? kind !== "operator"
    : kind === (BY_USERS.includes(tag) ? "user" : BY_OPERATORS.includes(tag) ? "operator" : "administrator")

/** The status of an answer, by its name. */
export const statusOf = (tag: Request["_tag"], name: string): number | undefined =>
  name === "NotAuthenticated" ? 401 : name === "WrongKind" ? 403 : STATUSES[tag][name]

/** Who may ask what over HTTP, and with which status each answer comes: the interface (sections 4, 7) and the contract (3, 8, 9). */
import type { Request } from "./commands.ts"

type Tag = Request["_tag"]
type Tags = ReadonlyArray<Tag>

const BY_USERS: Tags = [
  ...(["Enter", "Leave", "ListOrganizations", "AddFavorite", "RemoveFavorite", "ListFavorites"] as const),
  ...(["Link", "Unlink", "ReadAccessesByToken"] as const)
]
const BY_USERS_AND_ADMINISTRATORS: Tags = ["ReadOrganization", "ListPlaces", "ReadAccessesOfPeople"]
const BY_OPERATORS: Tags = [
  ...(["CreateOrganization", "ConstrainArea", "ChangePolicy", "Register", "Decide", "ListDeletionRequests"] as const),
  ...(["Erase", "Publish", "KeepHistory", "Deliver"] as const)
]

/** May a caller of this kind ask this? All else is for administrators alone. */
export const isAdmitted = (kind: "user" | "administrator" | "operator", tag: Tag): boolean =>
  BY_USERS_AND_ADMINISTRATORS.includes(tag)
    ? kind !== "operator"
    : kind === (BY_USERS.includes(tag) ? "user" : BY_OPERATORS.includes(tag) ? "operator" : "administrator")

/** The statuses of answers, where the endpoint has no other one for it. */
const STATUSES: { readonly [name: string]: number } = {
  Done: 200,
  Nothing: 204,
  NotAuthenticated: 401,
  DirectoryUnreachable: 502
}

const FORBIDDEN = [
  "WrongKind",
  "PermissionTooLow",
  "IdentityNotOwn",
  "NotLinked",
  "LinkedToAnother",
  "LastOwnerStays",
  "PermissionsOfAnother",
  "FavoritesOfAnother",
  "AccessesOfAnother",
  "DirectoryRefused"
]
const CONFLICTS = [
  "DeletionRequestDecided",
  "OnlyOwner",
  "MusterOpen",
  "MusterEnded",
  "TooManyAdded",
  "TooManyWebhooks"
]

/** The status of a refusal, unless its endpoint has another one. */
const statusOfRefusal = (name: string): number =>
  FORBIDDEN.includes(name) ? 403 : name.endsWith("NotFound") ? 404 : CONFLICTS.includes(name) ? 409 : 400

const CREATED = { Done: 201 }

/** What endpoints answer with statuses of their own. */
const OWN: { readonly [T in Tag]?: { readonly [name: string]: number } } = {
  Enter: { Done: 201, PremisesNotFound: 400 },
  Leave: { Done: 202, PremisesNotFound: 400 },
  CreateOrganization: CREATED,
  CreatePlace: { Done: 201, OrganizationNotFound: 403 },
  RemovePlace: { Done: 205 },
  ListPlaces: { PremisesNotFound: 403 },
  Register: CREATED,
  Bind: CREATED,
  Create: CREATED,
  Unbind: { Done: 204 },
  ChangeLevel: CREATED,
  AddFavorite: CREATED,
  RemoveFavorite: { Done: 205 },
  ListFavorites: { FavoritesOfAnother: 400 },
  Link: CREATED,
  Unlink: { Done: 205 },
  RequestDeletion: { Done: 204 },
  Decide: { Done: 204 },
  ReadAccessesOfPeople: { PremisesNotFound: 403 },
  StartMuster: CREATED,
  CreateWebhook: CREATED,
  RemoveWebhook: { Done: 204 }
}

/** The status of an answer, by its name. */
export const statusOf = (tag: Tag, name: string): number => OWN[tag]?.[name] ?? STATUSES[name] ?? statusOfRefusal(name)

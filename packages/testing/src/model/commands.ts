/**
 * What can be asked of the service, as plain JSON, so that a run can be printed and replayed. Organizations, places and
 * stays are called by labels, which the command that makes them gives; a label that nothing was made under (because its
 * command was refused, or left out while a failure is shrunk) stands for an id that was never issued.
 */
import type { DeletionRequestStatus, HistoryStep, MusterKind, PermissionLevel, TrackingMode } from "@sojourn/core"
import type { Drawing } from "./ground.ts"

/** Who asks: a `nobody` has no credentials, a `stranger` has credentials that are not valid. */
export type Who =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "administrator"; readonly id: string; readonly mail?: string | undefined }
  | { readonly kind: "operator"; readonly id: string }
  | { readonly kind: "nobody" }
  | { readonly kind: "stranger" }

/** Some premises, by label. */
export type At = { readonly organization: string } | { readonly place: string }

/** The token that an entrance was answered, possibly with one character altered; or a text made up. */
export type TokenRef = { readonly of: string; readonly altered?: number | undefined } | { readonly text: string }

/** The authentication servers there are: one with people, one that cannot be reached, and no URL at all. */
export type ServerName = "known" | "silent" | "malformed"

/** What a username is proven with. */
export type PasswordName = "right" | "wrong" | "empty"

interface By {
  readonly by: Who
}
interface Of extends By {
  readonly organization: string
}
interface Claim {
  /** Milliseconds since 1970; left out: the service's clock. */
  readonly time?: number | undefined
  /** The person whom the caller claims to be. */
  readonly person?: string | undefined
}

export type Enter = By &
  Claim & { readonly _tag: "Enter"; readonly stay: string; readonly at: At; readonly key?: string | undefined }
export type Leave = By & Claim & { readonly _tag: "Leave"; readonly at: At; readonly token: TokenRef }

export type CreateOrganization = Of & {
  readonly _tag: "CreateOrganization"
  readonly title: string
  readonly mode: TrackingMode
  readonly server?: ServerName | undefined
  readonly drawing: Drawing
  readonly owner: { readonly administrator: string; readonly mail: string }
  /** The largest area, in cells. */
  readonly cells?: number | undefined
}
export type EditOrganization = Of & {
  readonly _tag: "EditOrganization"
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly mode?: TrackingMode | undefined
  readonly server?: ServerName | null | undefined
  readonly drawing?: Drawing | undefined
}
export type EditTrackingArea = Of & { readonly _tag: "EditTrackingArea"; readonly drawing: Drawing }
export type ConstrainArea = Of & { readonly _tag: "ConstrainArea"; readonly cells: number | null }
export type ReadOrganization = Of & { readonly _tag: "ReadOrganization" }
export type ListOrganizations = By & { readonly _tag: "ListOrganizations" }

export type CreatePlace = Of & {
  readonly _tag: "CreatePlace"
  readonly place: string
  readonly title?: string | undefined
  readonly drawing: Drawing
}
export type EditPlace = By & {
  readonly _tag: "EditPlace"
  readonly place: string
  readonly organization?: string | undefined
  readonly title?: string | null | undefined
  readonly drawing?: Drawing | undefined
}
export type RemovePlace = By & { readonly _tag: "RemovePlace"; readonly place: string }
export type ListPlaces = Of & { readonly _tag: "ListPlaces" }

export type Register = By & { readonly _tag: "Register"; readonly administrator: string; readonly mail: string }
export type Bind = Of & {
  readonly _tag: "Bind"
  readonly administrator?: string | undefined
  readonly mail?: string | undefined
  readonly level: PermissionLevel
  readonly person?: string | undefined
}
export type Create = Of & {
  readonly _tag: "Create"
  readonly administrator?: string | undefined
  readonly mail: string
  readonly level: PermissionLevel
  readonly person?: string | undefined
}
export type Unbind = Of & { readonly _tag: "Unbind"; readonly administrator: string }
export type ChangeLevel = Of & {
  readonly _tag: "ChangeLevel"
  readonly administrator: string
  readonly level: PermissionLevel
  readonly mail?: string | undefined
  readonly person?: string | undefined
  readonly nominatedBy?: string | undefined
}
export type ListPermissions = Of & { readonly _tag: "ListPermissions" }
export type ListOwnPermissions = By & { readonly _tag: "ListOwnPermissions"; readonly administrator: string }

export type AddFavorite = Of & {
  readonly _tag: "AddFavorite"
  readonly user?: string | undefined
  readonly person?: string | undefined
}
export type RemoveFavorite = Of & { readonly _tag: "RemoveFavorite"; readonly user?: string | undefined }
export type ListFavorites = By & { readonly _tag: "ListFavorites"; readonly user: string }

export type Link = Of & { readonly _tag: "Link"; readonly username: string; readonly password: PasswordName }
export type Unlink = Of & { readonly _tag: "Unlink" }
export type AskPeople = Of & {
  readonly _tag: "AskPeople"
  readonly username: string
  readonly password: PasswordName
  readonly people: ReadonlyArray<string> | "everyone"
}

export type RequestDeletion = Of & {
  readonly _tag: "RequestDeletion"
  readonly reason?: string | undefined
  readonly administrator?: string | undefined
}
/** Decides the organization's first, second, ... request, counted from 0. */
export type Decide = Of & { readonly _tag: "Decide"; readonly nth: number; readonly verdict: "approved" | "rejected" }
export type ListDeletionRequests = By & {
  readonly _tag: "ListDeletionRequests"
  readonly status?: DeletionRequestStatus | undefined
}

/** The longest stay of an organization and the grain of its events, in seconds, and the smallest count; `null` lifts what it is of. */
export type ChangePolicy = Of & {
  readonly _tag: "ChangePolicy"
  readonly longestStay?: number | null | undefined
  readonly smallestCount?: number | null | undefined
  readonly eventGrain?: number | null | undefined
}
/** Whose data is erased. */
export type Subject =
  | { readonly user: string }
  | { readonly organization: string; readonly person: string }
  | { readonly administrator: string }
  | { readonly mail: string }
  | { readonly operator: string }

/** Erases everything that is stored about a subject. */
export type Erase = By & { readonly _tag: "Erase"; readonly subject: Subject }

export type ReadCounter = By & { readonly _tag: "ReadCounter"; readonly at: At }
export type ReadAccessesByToken = By & {
  readonly _tag: "ReadAccessesByToken"
  readonly at: At
  readonly tokens: ReadonlyArray<TokenRef>
}
export type ReadAccessesOfPeople = By & {
  readonly _tag: "ReadAccessesOfPeople"
  readonly at: At
  readonly people: ReadonlyArray<string>
}
export type ReadReport = By & { readonly _tag: "ReadReport"; readonly place: string }

/** How many people some premises hold; `null` lifts it. */
export type SetCapacity = By & {
  readonly _tag: "SetCapacity"
  readonly at: At
  readonly capacity: number | null
  readonly warnAt?: number | undefined
}
export type ReadCapacity = By & { readonly _tag: "ReadCapacity"; readonly at: At }
/** Tells what is recorded and due, as servers do every now and then. */
export type Tell = By & { readonly _tag: "Tell" }
/** Reads on in the feed of an organization, and adds up all of its events. */
export type ReadFeed = Of & { readonly _tag: "ReadFeed" }

/** Reads a history, in milliseconds since 1970. */
export type ReadHistory = By & {
  readonly _tag: "ReadHistory"
  readonly at: At
  readonly step: HistoryStep
  readonly from: number
  readonly to: number
}
/** Adds what was told to the buckets of histories, and forgets minutes that are longer ago than this, as servers do now and then. */
export type KeepHistory = By & { readonly _tag: "KeepHistory"; readonly retention: number }

/** Who is inside of some premises. */
export type ListInside = By & { readonly _tag: "ListInside"; readonly at: At }
export type StartMuster = Of & { readonly _tag: "StartMuster"; readonly muster: string; readonly kind: MusterKind }
export type ListMusters = Of & { readonly _tag: "ListMusters" }
export type ReadMuster = By & { readonly _tag: "ReadMuster"; readonly muster: string }
/** Marks people as safe, or tells how many are. */
export type MarkSafe = By & {
  readonly _tag: "MarkSafe"
  readonly muster: string
  readonly marked: number | readonly [string, ...ReadonlyArray<string>]
}
export type EndMuster = By & { readonly _tag: "EndMuster"; readonly muster: string }

type EventType = "presence" | "capacity" | "place" | "organization" | "muster"

/** Types left out: all but `presence`. */
export type CreateWebhook = Of & {
  readonly _tag: "CreateWebhook"
  readonly webhook: string
  readonly url: string
  readonly types?: ReadonlyArray<EventType> | undefined
}
export type ListWebhooks = Of & { readonly _tag: "ListWebhooks" }
export type RemoveWebhook = By & { readonly _tag: "RemoveWebhook"; readonly webhook: string }
export type EnableWebhook = By & { readonly _tag: "EnableWebhook"; readonly webhook: string }
/** A server takes the webhooks that no other server holds, and delivers for them, with this outcome. */
export type Deliver = By & {
  readonly _tag: "Deliver"
  readonly server: string
  readonly outcome: "delivered" | "failed" | "gone"
}

/** One request. */
export type Request =
  | Enter
  | Leave
  | CreateOrganization
  | EditOrganization
  | EditTrackingArea
  | ConstrainArea
  | ReadOrganization
  | ListOrganizations
  | CreatePlace
  | EditPlace
  | RemovePlace
  | ListPlaces
  | Register
  | Bind
  | Create
  | Unbind
  | ChangeLevel
  | ListPermissions
  | ListOwnPermissions
  | AddFavorite
  | RemoveFavorite
  | ListFavorites
  | Link
  | Unlink
  | AskPeople
  | RequestDeletion
  | Decide
  | ListDeletionRequests
  | ChangePolicy
  | Erase
  | ReadCounter
  | ReadAccessesByToken
  | ReadAccessesOfPeople
  | ReadReport
  | SetCapacity
  | ReadCapacity
  | Tell
  | ReadFeed
  | ReadHistory
  | KeepHistory
  | ListInside
  | StartMuster
  | ListMusters
  | ReadMuster
  | MarkSafe
  | EndMuster
  | CreateWebhook
  | ListWebhooks
  | RemoveWebhook
  | EnableWebhook
  | Deliver

/** Time passes for the service. */
export interface AdvanceClock {
  readonly _tag: "AdvanceClock"
  readonly milliseconds: number
}

/** The service does what stay policies say. */
export interface Sweep {
  readonly _tag: "Sweep"
}

/** Requests at one moment: each is answered as if they had come one after the other, in an order of the service's own. */
export interface Race {
  readonly _tag: "Race"
  readonly members: ReadonlyArray<Request>
}

/** One step of a run. */
export type Command = Request | AdvanceClock | Sweep | Race

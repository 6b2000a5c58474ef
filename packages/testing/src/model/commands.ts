/**
 * The requests to a service, as plain JSON, so that a run can be printed and replayed. Organizations, places and
 * stays are called by labels, which the command that makes them gives; a label that nothing was made under (because its
 * command was refused, or left out while a failure is shrunk) means an id that was never issued.
 */
import type { DeletionRequestStatus, HistoryStep, MusterKind, PermissionLevel, TrackingMode } from "@sojourn/core"
import type { Drawing } from "./grid.ts"

/** The caller: `unauthenticated` has no credentials, an `invalidToken` caller has credentials that are not valid. */
export type Caller =
  | { readonly kind: "user"; readonly id: string }
  | { readonly kind: "administrator"; readonly id: string; readonly mail?: string | undefined }
  | { readonly kind: "operator"; readonly id: string }
  | { readonly kind: "unauthenticated" }
  | { readonly kind: "invalidToken" }

/** Some premises, by label. */
export type PremisesRef = { readonly organization: string } | { readonly place: string }

/** The token that an entrance was answered, possibly with one character altered; or a text made up. */
export type TokenRef = { readonly of: string; readonly altered?: number | undefined } | { readonly text: string }

/** The authentication servers there are: one with people, one that cannot be reached, and no URL at all. */
export type ServerName = "known" | "silent" | "malformed"

/** What a username is proven with. */
export type PasswordName = "right" | "wrong" | "empty"

/** Whose data is erased. */
export type Subject =
  | { readonly user: string }
  | { readonly organization: string; readonly person: string }
  | { readonly administrator: string }
  | { readonly mail: string }
  | { readonly operator: string }

export interface OfOrganization {
  readonly organization: string
}
export interface OfPremises {
  readonly at: PremisesRef
}
export interface Claim {
  /** Milliseconds since 1970; left out: the service's clock. */
  readonly time?: number | undefined
  /** The person whom the caller claims to be. */
  readonly person?: string | undefined
}
export interface Credentials {
  readonly username: string
  readonly password: PasswordName
}
export interface Named {
  readonly administrator?: string | undefined
  readonly mail?: string | undefined
}
export interface Granted {
  readonly level: PermissionLevel
  readonly person?: string | undefined
}
type EventType = "presence" | "capacity" | "place" | "organization" | "muster"

/** What each kind of request says, beside who asks. */
interface Requests {
  readonly Enter: OfPremises & Claim & { readonly stay: string; readonly key?: string | undefined }
  readonly Leave: OfPremises & Claim & { readonly token: TokenRef }

  readonly CreateOrganization: OfOrganization & {
    readonly title: string
    readonly mode: TrackingMode
    readonly server?: ServerName | undefined
    readonly drawing: Drawing
    readonly owner: { readonly administrator: string; readonly mail: string }
    /** The largest area, in cells. */
    readonly cells?: number | undefined
  }
  readonly EditOrganization: OfOrganization & {
    readonly title?: string | undefined
    readonly description?: string | null | undefined
    readonly mode?: TrackingMode | undefined
    readonly server?: ServerName | null | undefined
    readonly drawing?: Drawing | undefined
  }
  readonly EditTrackingArea: OfOrganization & { readonly drawing: Drawing }
  readonly ConstrainArea: OfOrganization & { readonly cells: number | null }
  readonly ReadOrganization: OfOrganization
  readonly ListOrganizations: {}
  /** `null` lifts what it is of. The longest stay and the publishing interval are in seconds. */
  readonly ChangePolicy: OfOrganization & {
    readonly longestStay?: number | null | undefined
    readonly smallestCount?: number | null | undefined
    readonly eventGrain?: number | null | undefined
  }

  readonly CreatePlace: OfOrganization & {
    readonly place: string
    readonly title?: string | undefined
    readonly drawing: Drawing
  }
  readonly EditPlace: {
    readonly place: string
    readonly organization?: string | undefined
    readonly title?: string | null | undefined
    readonly drawing?: Drawing | undefined
  }
  readonly RemovePlace: { readonly place: string }
  readonly ListPlaces: OfOrganization

  readonly Register: { readonly administrator: string; readonly mail: string }
  readonly Bind: OfOrganization & Named & Granted
  readonly Create: OfOrganization & Named & Granted & { readonly mail: string }
  readonly Unbind: OfOrganization & { readonly administrator: string }
  readonly ChangeLevel: OfOrganization &
    Named &
    Granted & { readonly administrator: string; readonly nominatedBy?: string | undefined }
  readonly ListPermissions: OfOrganization
  readonly ListOwnPermissions: { readonly administrator: string }

  readonly AddFavorite: OfOrganization & { readonly user?: string | undefined; readonly person?: string | undefined }
  readonly RemoveFavorite: OfOrganization & { readonly user?: string | undefined }
  readonly ListFavorites: { readonly user: string }

  readonly Link: OfOrganization & Credentials
  readonly Unlink: OfOrganization
  readonly AskPeople: OfOrganization & Credentials & { readonly people: ReadonlyArray<string> | "everyone" }

  readonly RequestDeletion: OfOrganization & {
    readonly reason?: string | undefined
    readonly administrator?: string | undefined
  }
  /** Decides the organization's first, second, ... request, counted from 0. */
  readonly Decide: OfOrganization & { readonly nth: number; readonly verdict: "approved" | "rejected" }
  readonly ListDeletionRequests: { readonly status?: DeletionRequestStatus | undefined }
  /** Erases everything that is stored about a subject. */
  readonly Erase: { readonly subject: Subject }

  readonly ReadCounter: OfPremises
  readonly ReadAccessesByToken: OfPremises & { readonly tokens: ReadonlyArray<TokenRef> }
  readonly ReadAccessesOfPeople: OfPremises & { readonly people: ReadonlyArray<string> }
  readonly ReadReport: { readonly place: string }

  /** How many people some premises hold; `null` lifts it. */
  readonly SetCapacity: OfPremises & { readonly capacity: number | null; readonly warnAt?: number | undefined }
  readonly ReadCapacity: OfPremises
  /** Publishes what is recorded and due, as servers do every now and then. */
  readonly Publish: {}
  /** Reads on in the feed of an organization, and adds up all of its events. */
  readonly ReadFeed: OfOrganization

  /** Reads a history, in milliseconds since 1970. */
  readonly ReadHistory: OfPremises & { readonly step: HistoryStep; readonly from: number; readonly to: number }
  /** Adds what was published to the buckets of histories, and forgets minutes that are longer ago, as servers do now and then. */
  readonly KeepHistory: { readonly retention: number }

  readonly ListInside: OfPremises
  readonly StartMuster: OfOrganization & { readonly muster: string; readonly kind: MusterKind }
  readonly ListMusters: OfOrganization
  readonly ReadMuster: { readonly muster: string }
  /** Marks people as safe, or says how many are. */
  readonly MarkSafe: { readonly muster: string; readonly marked: number | readonly [string, ...ReadonlyArray<string>] }
  readonly EndMuster: { readonly muster: string }

  /** Types left out: all but `presence`. */
  readonly CreateWebhook: OfOrganization & {
    readonly webhook: string
    readonly url: string
    readonly types?: ReadonlyArray<EventType> | undefined
  }
  readonly ListWebhooks: OfOrganization
  readonly RemoveWebhook: { readonly webhook: string }
  readonly EnableWebhook: { readonly webhook: string }
  /** A server takes the webhooks that no other server holds, and delivers for them, with this outcome. */
  readonly Deliver: { readonly server: string; readonly outcome: "delivered" | "failed" | "gone" }
}

type Tag = keyof Requests

/** A request of one kind, or of one of some. */
export type RequestOf<T extends Tag> = { [One in T]: { readonly _tag: One; readonly by: Caller } & Requests[One] }[T]

/** One request. */
export type Request = RequestOf<Tag>

/** Time passes for the service. */
interface AdvanceClock {
  readonly _tag: "AdvanceClock"
  readonly milliseconds: number
}

/** The service does what stay policies say. */
interface Sweep {
  readonly _tag: "Sweep"
}

/** Two to four requests at one moment: each is answered as if they had come one after the other, in any order. */
export interface Race {
  readonly _tag: "Race"
  readonly members: ReadonlyArray<Request>
}

/** One step of a run. */
export type Command = Request | AdvanceClock | Sweep | Race

/** The state of the reference model, and how rules and generators read it. */
import type {
  CapacityLevel,
  DeletionRequestStatus,
  MusterKind,
  MusterNumbers,
  MusterState,
  PermissionLevel,
  TrackingMode
} from "@sojourn/core"
import type { GridRectangle } from "../arbitraries/areas.ts"
import type { At, ServerName, TokenRef, Who } from "./commands.ts"

/** An area as it was given, and the rectangle it stands for. */
export interface Drawn {
  readonly text: string
  readonly rectangle: GridRectangle
}

export interface ModelPermission {
  readonly administrator: string
  readonly level: PermissionLevel
  readonly person?: string | undefined
  readonly nominatedBy: string
}

export interface ModelPlace {
  readonly label: string
  readonly title: string | undefined
  readonly area: Drawn
  readonly created: number
}

export interface ModelOrganization {
  readonly label: string
  readonly title: string
  readonly description: string | undefined
  readonly mode: TrackingMode
  readonly server: ServerName | undefined
  readonly area: Drawn
  /** The largest area, in cells. */
  readonly cells: number | undefined
  /** How long a stay may be open before a sweep abandons it, in seconds. */
  readonly longestStay?: number | undefined
  /** How many exits a row of its history needs to have an average stay, while it is anonymous; 5 where it is not set. */
  readonly smallestCount?: number | undefined
  /** How many seconds its events are apart at least; while it is anonymous, 2 or more are its publishing interval. */
  readonly eventGrain?: number | undefined
  /** Minutes before this time are in no history. */
  readonly minutesFrom?: number | undefined
  readonly created: number
  readonly changed: number
  readonly permissions: ReadonlyArray<ModelPermission>
  readonly links: ReadonlyArray<{ readonly user: string; readonly person: string }>
  readonly places: ReadonlyArray<ModelPlace>
}

/** What happened at some premises. */
export interface ModelCounts {
  /** How many stays began and ended. */
  readonly entered: number
  readonly left: number
  /** How many of them ended by an exit, and their length in all, in milliseconds. */
  readonly exits: number
  readonly stayed: number
}

/** An event of a feed. `at` is when the service recorded it, `premises` a name as among the stays. */
export interface ModelEvent {
  readonly type: "presence" | "capacity" | "place" | "organization" | "muster"
  readonly at: number
  readonly premises?: string | undefined
  readonly muster?: string | undefined
  readonly entered?: number | undefined
  readonly left?: number | undefined
  readonly inside?: number | undefined
  readonly level?: CapacityLevel | undefined
  readonly capacity?: number | undefined
  /** What became of a place, an organization or a muster. */
  readonly became?: "created" | "updated" | "deleted" | "started" | "ended" | undefined
}

/** A change of the number inside some premises, as their history has it. */
export interface ModelChange extends ModelCounts {
  readonly at: number
  readonly inside: number
}

/** What the feed told of some premises. */
export interface ModelHead extends ModelCounts {
  readonly capacity?: { readonly capacity: number; readonly warnAt: number } | undefined
  readonly level: CapacityLevel
  readonly toldAt?: number | undefined
  /** When capacities were set whose level waits for the next multiple of the publishing interval. */
  readonly levelsSet?: ReadonlyArray<number>
}

export interface ModelStay {
  /** The premises: `organization o1`, `place p3`. */
  readonly at: string
  readonly organization: string
  readonly person: string | undefined
  readonly entrance: number
  readonly exit: number | undefined
  /** When the service wrote the entrance and the end down, whatever they claimed. */
  readonly recorded: number
  readonly ended?: number | undefined
  /** Its place or its organization ended, or its person was erased, or it was abandoned: it is never told of again. */
  readonly gone: boolean
  /** It was open for too long. */
  readonly isAbandoned?: boolean
}

export interface ModelRequest {
  readonly organization: string
  readonly administrator: string
  readonly reason: string | undefined
  readonly status: DeletionRequestStatus
  readonly created: number
  readonly decided?: number | undefined
  readonly decidedBy?: string | undefined
}

export interface ModelFavorite {
  readonly user: string
  readonly organization: string
}

/** An Idempotency-Key that a user sent to some premises, and the stay that it stands for. */
export interface ModelKey {
  readonly user: string
  readonly at: string
  readonly key: string
  readonly since: number
  readonly stay: number
}

export interface ModelAccount {
  readonly administrator: string
  readonly mail: string | undefined
  /** Made for the mail address, and not taken over yet. */
  readonly isInvitation?: boolean
  /** The mail address was written down by an owner and never proved. */
  readonly isUnproved?: boolean
}

/** Whom an owner or an operator named when they gave rights in an organization: an id, or a mail address alone. */
export interface ModelNaming {
  readonly organization: string
  readonly administrator?: string | undefined
  readonly mail?: string | undefined
}

/** What a muster keeps of a person, beside what their stays say. */
export interface ModelEntry {
  readonly person: string
  readonly places: ReadonlyArray<string>
  readonly since?: number | undefined
  readonly markedAt?: number | undefined
  /** When the last stay ended without an exit, or with its place. */
  readonly endedAt?: number | undefined
}

/** A person of a muster, as it is answered. */
export interface ModelMustered {
  readonly person: string
  readonly places: ReadonlyArray<string>
  readonly since?: number | undefined
  readonly state: MusterState
  readonly at?: number | undefined
}

/** The numbers of a muster, and its people. */
export interface ModelStanding {
  readonly numbers: MusterNumbers
  readonly people?: ReadonlyArray<ModelMustered> | undefined
}

export interface ModelMuster {
  readonly label: string
  readonly organization: string
  readonly mode: TrackingMode
  readonly kind: MusterKind
  readonly startedAt: number
  readonly startedBy: string
  /** The stays that were open at its start, and how many stays there were then. */
  readonly open: ReadonlyArray<number>
  readonly first: number
  readonly entries: ReadonlyArray<ModelEntry>
  /** Of an anonymous one: who was inside, the exits there had been, and how many are safe. */
  readonly inside: number
  readonly exits: number
  readonly count: number
  readonly endedAt?: number | undefined
  /** Its numbers and its people at its end. */
  readonly ended?: ModelStanding | undefined
}

export interface ModelWebhook {
  readonly label: string
  readonly organization: string
  readonly url: string
  readonly types: ReadonlyArray<ModelEvent["type"]>
  readonly state: "active" | "failing" | "disabled"
  readonly createdBy: string
  /** How many events of the feed were delivered, or were not asked for. */
  readonly handled: number
  /** The version of the last event that was delivered. */
  readonly delivered?: number | undefined
  readonly failedAt?: number | undefined
  readonly lease?: { readonly server: string; readonly until: number } | undefined
}

/**
 * Everything there is, in plain lists: in the order of ids where things have ids, and of time elsewhere. What the lists
 * hold never changes, they do: a copy of the lists is a copy of the world.
 */
export interface World {
  now: number
  organizations: ReadonlyArray<ModelOrganization>
  accounts: ReadonlyArray<ModelAccount>
  /** Every naming there was, and every address that an administrator proved or that an operator wrote down. */
  namings: ReadonlyArray<ModelNaming>
  proofs: ReadonlyArray<{ readonly administrator: string; readonly mail: string }>
  favorites: ReadonlyArray<ModelFavorite>
  requests: ReadonlyArray<ModelRequest>
  stays: ReadonlyArray<ModelStay>
  keys: ReadonlyArray<ModelKey>
  /** By premises, where anything was told of them. */
  heads: ReadonlyMap<string, ModelHead>
  changes: ReadonlyMap<string, ReadonlyArray<ModelChange>>
  /** The events of each organization, by its label. */
  feeds: ReadonlyMap<string, ReadonlyArray<ModelEvent>>
  /** How far a reader has read each feed. */
  read: ReadonlyMap<string, number>
  musters: ReadonlyArray<ModelMuster>
  webhooks: ReadonlyArray<ModelWebhook>
  /** The stay that each entrance was answered with, by the entrance's label. */
  entrances: ReadonlyMap<string, number>
  /** The token of each stay, as it was answered. */
  readonly tokens: Array<string | undefined>
  /** What happened in the last step that a run has to meet now and then. */
  readonly marks: Array<string>
}

/** 2026-03-01T08:00:00Z. */
export const BEGINNING = 1_772_352_000_000

export const emptyWorld = (): World => ({
  now: BEGINNING,
  organizations: [],
  accounts: [],
  namings: [],
  proofs: [],
  favorites: [],
  requests: [],
  stays: [],
  keys: [],
  heads: new Map(),
  changes: new Map(),
  feeds: new Map(),
  read: new Map(),
  musters: [],
  webhooks: [],
  entrances: new Map(),
  tokens: [],
  marks: []
})

/** A world of its own that may take another course. */
export const copyOf = (world: World): World => ({ ...world, tokens: [...world.tokens], marks: [...world.marks] })

/** Notes that an interesting state was met. */
export const mark = (world: World, ...names: ReadonlyArray<string>): void => {
  world.marks.push(...names)
}

export const findOrganization = (world: World, label: string): ModelOrganization | undefined =>
  world.organizations.find((organization) => organization.label === label)

export const findPlace = (world: World, label: string) => {
  for (const organization of world.organizations) {
    const place = organization.places.find((candidate) => candidate.label === label)
    if (place !== undefined) return { organization, place }
  }
  return undefined
}

/** The name of some premises among the stays. */
export const premisesName = (at: At): string =>
  "place" in at ? `place ${at.place}` : `organization ${at.organization}`

/** The organization of some premises, when they exist. */
export const organizationAt = (world: World, at: At): ModelOrganization | undefined =>
  "place" in at ? findPlace(world, at.place)?.organization : findOrganization(world, at.organization)

/** Puts an organization in the place of what it was. */
export const replace = (world: World, changed: ModelOrganization): void => {
  world.organizations = world.organizations.map((one) => (one.label === changed.label ? changed : one))
}

/** Is it open: has it neither ended nor gone? */
export const isOpen = ({ exit, gone }: ModelStay): boolean => exit === undefined && !gone

/** Is a person inside whom the organization knows? */
export const isPersonInside = (stay: ModelStay): boolean => stay.person !== undefined && isOpen(stay)

/** The numbers of the people who are inside some premises now. */
export const openAt = (world: World, at: At): ReadonlyArray<number> =>
  world.stays.flatMap((stay, index) => (stay.at === premisesName(at) && isOpen(stay) ? [index] : []))

/** The stays as they are once some of them are gone: those that were open end now. */
export const withGone = (world: World, isGone: (stay: ModelStay, number: number) => boolean): World["stays"] =>
  world.stays.map((stay, number) =>
    isGone(stay, number) ? { ...stay, gone: true, ended: stay.ended ?? world.now } : stay
  )

/** The stay that a token belongs to, or nothing: it was made up, altered, or never answered. */
export const stayOfToken = (world: World, token: TokenRef): number | undefined =>
  "text" in token || token.altered !== undefined ? undefined : world.entrances.get(token.of)

export const linkedPerson = (organization: ModelOrganization, user: string): string | undefined =>
  organization.links.find((link) => link.user === user)?.person

const POWER: Record<PermissionLevel, number> = { viewer: 1, manager: 2, owner: 3 }

export const levelOf = (organization: ModelOrganization, administrator: string): PermissionLevel | undefined =>
  organization.permissions.find((permission) => permission.administrator === administrator)?.level

/** Does the caller hold at least this level in the organization? */
export const holds = (organization: ModelOrganization, by: Who, level: PermissionLevel): boolean => {
  const held = by.kind === "administrator" ? levelOf(organization, by.id) : undefined
  return held !== undefined && POWER[held] >= POWER[level]
}

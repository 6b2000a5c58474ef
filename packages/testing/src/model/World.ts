/** What a run knows of a service from its answers. The next commands are generated from it. */
import type { PermissionLevel, TrackingMode } from "@sojourn/core"
import type { PremisesRef, ServerName, TokenRef, Caller } from "./commands.ts"

export interface ModelOrganization {
  readonly label: string
  readonly mode: TrackingMode
  readonly server: ServerName | undefined
  /** The longest stay and the publishing interval of its policy, in seconds. */
  readonly longestStay?: number | undefined
  readonly eventGrain?: number | undefined
  /** Minutes before this time are in no history. */
  readonly minutesFrom?: number | undefined
  readonly permissions: ReadonlyArray<{ readonly administrator: string; readonly level: PermissionLevel }>
  readonly links: ReadonlyArray<{ readonly user: string; readonly person: string }>
  readonly places: ReadonlyArray<{ readonly label: string }>
}

export interface ModelStay {
  /** The premises: `organization o1`, `place p3`. */
  readonly at: string
  readonly organization: string
  readonly person: string | undefined
  readonly entrance: number
  readonly exit?: number | undefined
  /** When the service recorded the entrance and the end, whatever they claimed. */
  readonly recorded: number
  readonly ended?: number | undefined
  /** Its place, its organization or its person is gone, or it was abandoned: no answer is about it. */
  readonly gone: boolean
  readonly isAbandoned?: boolean
}

export interface ModelMuster {
  readonly label: string
  readonly organization: string
  readonly mode: TrackingMode
  readonly isOpen: boolean
}

/** Everything that is known, in lists in the order of creation. The lists are replaced, never changed. */
export interface World {
  readonly now: number
  readonly organizations: ReadonlyArray<ModelOrganization>
  /** Administrators whom an owner made with a mail address that was not proved. */
  readonly unproved: ReadonlyArray<{ readonly administrator: string; readonly mail: string }>
  readonly requests: ReadonlyArray<{
    readonly organization: string
    readonly status: "pending" | "approved" | "rejected"
  }>
  readonly stays: ReadonlyArray<ModelStay>
  /** When retry keys were used. */
  readonly keysSince: ReadonlyArray<number>
  readonly musters: ReadonlyArray<ModelMuster>
  readonly webhooks: ReadonlyArray<{ readonly label: string; readonly organization: string }>
  /** The number of the stay that each entrance was answered with, by its label, and of each token. */
  readonly entrances: ReadonlyMap<string, number>
  readonly tokens: ReadonlyMap<string, number>
  /** What rights were given by, and which addresses were proved: an id, or a mail address alone. */
  readonly namings: ReadonlyArray<{
    readonly organization: string
    readonly administrator?: string | undefined
    readonly mail?: string | undefined
  }>
  readonly proofs: ReadonlyArray<{ readonly administrator: string; readonly mail: string }>
}

/** 2026-03-01T08:00:00Z. */
export const BEGINNING = 1_772_352_000_000

export const EMPTY_WORLD: World = {
  now: BEGINNING,
  organizations: [],
  unproved: [],
  requests: [],
  stays: [],
  keysSince: [],
  musters: [],
  webhooks: [],
  entrances: new Map(),
  tokens: new Map(),
  namings: [],
  proofs: []
}

export const findOrganization = (world: World, label: string): ModelOrganization | undefined =>
  world.organizations.find((organization) => organization.label === label)

/** The name of some premises among the stays. */
export const premisesName = (at: PremisesRef): string =>
  "place" in at ? `place ${at.place}` : `organization ${at.organization}`

/** The organization of some premises, when they exist. */
export const organizationAt = (world: World, at: PremisesRef): ModelOrganization | undefined =>
  "place" in at
    ? world.organizations.find(({ places }) => places.some(({ label }) => label === at.place))
    : findOrganization(world, at.organization)

export const everyPremises = ({ organizations }: World): ReadonlyArray<PremisesRef> =>
  organizations.flatMap(({ label, places }) => [
    { organization: label },
    ...places.map(({ label: place }) => ({ place }))
  ])

export const isOpen = ({ exit, gone }: ModelStay): boolean => exit === undefined && !gone

/** Is a person inside whom the organization knows? */
export const isPersonInside = (stay: ModelStay): boolean => stay.person !== undefined && isOpen(stay)

/** The numbers of the people who are inside some premises now. */
export const openAt = (world: World, at: PremisesRef): ReadonlyArray<number> =>
  world.stays.flatMap((stay, index) => (stay.at === premisesName(at) && isOpen(stay) ? [index] : []))

/** The stay that a token belongs to, or nothing: it was made up, altered, or never answered. */
export const stayOfToken = (world: World, token: TokenRef): number | undefined =>
  "text" in token || token.altered !== undefined ? undefined : world.entrances.get(token.of)

export const linkedPerson = (organization: ModelOrganization, user: string): string | undefined =>
  organization.links.find((link) => link.user === user)?.person

const RANK: Record<PermissionLevel, number> = { viewer: 1, manager: 2, owner: 3 }

/** Does the caller hold at least this level in the organization? */
export const holds = ({ permissions }: ModelOrganization, by: Caller, level: PermissionLevel): boolean =>
  by.kind === "administrator" &&
  permissions.some((one) => one.administrator === by.id && RANK[one.level] >= RANK[level])

/** Does it publish its counts at intervals, so that answers may be behind what was recorded? */
export const hasInterval = ({ mode, eventGrain = 0 }: ModelOrganization): boolean =>
  mode === "anonymous" && eventGrain >= 2

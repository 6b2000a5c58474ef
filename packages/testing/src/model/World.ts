/** What is known of the oracle before a command: its organizations are read from it, and its stays are remembered from answers. */
import type {
  Administrator,
  AdministratorId,
  ExitToken,
  MusterId,
  OrgAuthServerId,
  PermissionLevel,
  TrackingMode,
  UserId,
  WebhookId
} from "@sojourn/core"
import { type Answer, type At, type OrganizationRef, type PlaceRef, Ref, type Request } from "./Request.ts"

export interface KnownOrganization {
  readonly ref: OrganizationRef
  readonly mode: TrackingMode
  readonly server: string | undefined
  readonly permissions: ReadonlyArray<{ readonly administrator: Ref<AdministratorId>; readonly level: PermissionLevel }>
  readonly links: ReadonlyArray<{ readonly userId: UserId; readonly person: OrgAuthServerId }>
  readonly places: ReadonlyArray<PlaceRef>
  readonly musters: ReadonlyArray<{
    readonly ref: Ref<MusterId>
    readonly mode: TrackingMode
    readonly isOpen: boolean
  }>
  readonly webhooks: ReadonlyArray<Ref<WebhookId>>
  readonly isEnding: boolean
}

export interface KnownStay {
  readonly at: At
  readonly token: Ref<ExitToken>
  readonly person: OrgAuthServerId | undefined
  readonly entrance: number
  readonly recorded: number
  readonly exit?: number
}

export interface World {
  readonly now: number
  readonly organizations: ReadonlyArray<KnownOrganization>
  readonly stays: ReadonlyArray<KnownStay>
  /** When retry keys were used. */
  readonly keysSince: ReadonlyArray<number>
  /** Organizations and places that are gone, webhooks and musters with them. */
  readonly ended: { readonly organizations: ReadonlyArray<OrganizationRef>; readonly places: ReadonlyArray<PlaceRef> }
  /** The last requests, to be repeated. */
  readonly history: ReadonlyArray<Request>
}

/** 2026-03-01T08:00:00Z. */
export const BEGINNING = 1_772_352_000_000

export const EMPTY_WORLD: World = {
  now: BEGINNING,
  organizations: [],
  stays: [],
  keysSince: [],
  ended: { organizations: [], places: [] },
  history: []
}

const KEPT_REQUESTS = 60

const isRef = (one: Ref<unknown>, other: Ref<unknown>) => one.kind === other.kind && one.id === other.id

export const isAt = (one: At, other: At): boolean =>
  "place" in one
    ? "place" in other && isRef(one.place, other.place)
    : "organization" in other && isRef(one.organization, other.organization)

export const organizationAt = (
  { organizations }: Pick<World, "organizations">,
  at: At
): KnownOrganization | undefined =>
  organizations.find(({ ref, places }) =>
    "place" in at ? places.some((place) => isRef(place, at.place)) : isRef(ref, at.organization)
  )

export const everyPremises = ({ ref, places }: KnownOrganization): ReadonlyArray<At> => [
  { organization: ref },
  ...places.map((place) => ({ place }))
]

/** The stays without an exit, as far as answers show. */
export const openStays = (world: World): ReadonlyArray<KnownStay> =>
  world.stays.filter(({ at, exit }) => exit === undefined && organizationAt(world, at) !== undefined)

const RANK: Record<PermissionLevel, number> = { viewer: 1, manager: 2, owner: 3 }

export const holds = (
  organization: KnownOrganization | undefined,
  by: Administrator,
  level: PermissionLevel
): boolean =>
  organization?.permissions.some(
    (one) => one.administrator.id === by.administratorId && RANK[one.level] >= RANK[level]
  ) ?? false

/** The world after an answer of the oracle; `organizations` are as they are now. */
export const worldAfter = (
  world: World,
  organizations: ReadonlyArray<KnownOrganization>,
  request: Request,
  answer: Answer
): World => {
  const gone = <Id>(of: (one: KnownOrganization) => ReadonlyArray<Ref<Id>>) => {
    const left = organizations.flatMap(of)
    return world.organizations.flatMap(of).filter((ref) => !left.some((other) => isRef(ref, other)))
  }
  const known: World = {
    ...world,
    organizations,
    ended: {
      organizations: [...world.ended.organizations, ...gone(({ ref }) => [ref])].slice(-4),
      places: [...world.ended.places, ...gone(({ places }) => places)].slice(-4)
    },
    history: [...world.history, request].slice(-KEPT_REQUESTS)
  }
  if (answer.name !== "Done" || (request.name !== "Enter" && request.name !== "Leave")) return known
  const { at, key } = request.args as { readonly at: At; readonly key?: string | undefined }
  const {
    exitToken,
    timestamp,
    orgAuthServerId: person
  } = answer.value as {
    readonly exitToken: ExitToken
    readonly timestamp: number
    readonly orgAuthServerId?: OrgAuthServerId
  }
  const isKnown = world.stays.some(({ token }) => token.id === exitToken)
  if (request.name === "Leave") {
    const left = (stay: KnownStay) =>
      stay.token.id === exitToken && stay.exit === undefined ? { ...stay, exit: timestamp } : stay
    return { ...known, stays: known.stays.map(left) }
  }
  const token = new Ref<ExitToken>("exitToken", exitToken)
  const stay: KnownStay = { at, token, person, entrance: timestamp, recorded: world.now }
  return isKnown
    ? known
    : {
        ...known,
        stays: [...known.stays, stay],
        keysSince: key === undefined ? world.keysSince : [...world.keysSince, world.now].slice(-20)
      }
}

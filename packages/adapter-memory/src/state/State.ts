/** The whole storage as one mutable object, and how it is looked up. All stores of this package share it. */
import type * as Core from "@sojourn/core"
import type {
  AdministratorAccount,
  AdministratorId,
  AdministratorName,
  AuditEntry,
  BegunEpochs,
  Bounds,
  BucketStep,
  CellNumber,
  ClosedStay,
  DailyMoments,
  DeletionRequest,
  DeletionRequestId,
  Device,
  DeviceId,
  DeviceTokens,
  Drift,
  ErasureEntry,
  Favorite,
  FavoriteId,
  FloorPlanImage,
  HistoryBucket,
  ImportKey,
  Missing,
  Muster,
  MusterCounts,
  MusterEntry,
  MusterId,
  MusterNumbers,
  MusterPerson,
  NamedAccounts,
  NewAccount,
  Opened,
  OpenStay,
  Organization,
  OrganizationId,
  OrgAuthServerId,
  Page,
  PasswordHash,
  PendingChange,
  Permission,
  PermissionLevel,
  PermissionTooLow,
  Place,
  PlaceId,
  PlacePosition,
  Premises,
  PresenceEvent,
  PresenceTotals,
  Reader,
  RetryKey,
  StayId,
  StayPolicy,
  StorageId,
  StoredEpoch,
  Timestamp,
  TokenRevocation,
  TrackingArea,
  UserId,
  Webhook,
  WebhookAttempt,
  WebhookId
} from "@sojourn/core"
import {
  administratorOf,
  areaWeight,
  boundsOf,
  idRangeOf,
  levelOfReader,
  mailKey,
  newTotals,
  OrganizationNotFound,
  PAGE_ITEMS,
  PAGE_TEXT,
  PremisesNotFound,
  requireLevel
} from "@sojourn/core"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Latch, Option, type PubSub, Result } from "effect"

/** The stays of one premises: open and closed ones, the retry keys that were used, and what the feed publishes of them. */
export interface PremisesStays {
  readonly organizationId: OrganizationId
  readonly open: Map<StayId, OpenStay>
  readonly openByPerson: Map<OrgAuthServerId, OpenStay>
  /** When the service recorded each open stay. */
  readonly recorded: Map<StayId, Timestamp>
  readonly closed: Map<StayId, ClosedStay>
  readonly closedByPerson: Map<OrgAuthServerId, Array<ClosedStay>>
  /** The closed stays that were imported, each with its key if it has one. */
  readonly imported: Map<StayId, ImportKey | undefined>
  /** In the order in which they were first used, so that the oldest are forgotten first. */
  readonly retries: Map<RetryKey, { readonly opened: Opened; readonly usedAt: Timestamp }>
  /** What the feed published of these premises. */
  totals: PresenceTotals
  /** How many exits there were, and how many people devices counted out. */
  exits: number
  countedOut: number
  /** How many people devices count inside; undefined before anything was counted. */
  counted: number | undefined
  /** What devices counted out there beyond it, the oldest first. */
  missing: ReadonlyArray<Missing>
  /** The multiple of the publishing interval until which a correction takes the place of what is counted. */
  correctedUntil: Timestamp | undefined
  /** What is recorded and not yet published, in the order of recording: one change for each second, as a publishing interval is whole seconds. */
  pending: ReadonlyArray<PendingChange>
  /** When the feed of these premises began, or the accesses that were imported. */
  beganAt: Timestamp
  /** The buckets of the history by step, in their order. */
  readonly buckets: Readonly<Record<BucketStep, Array<HistoryBucket>>>
}

/** An event, and what history needs of its changes: exits, and how long their stays were in all, in milliseconds. */
export interface StoredEvent {
  readonly event: PresenceEvent
  readonly exits: number
  readonly stayed: number
}

/** The feed of an organization. Its oldest events may have been forgotten. */
interface FeedRecord {
  version: number
  at: Timestamp
  readonly events: Array<StoredEvent>
}

/** What the history holds of an organization and its places. */
interface HistoryRecord {
  /** The version up to which events are in buckets. */
  version: number
  /** Minutes before this are forgotten. */
  minutesFrom: Timestamp | undefined
  /** When accesses were imported last. */
  importedAt: Timestamp | undefined
}

/** A place and its stays: they end together. */
export interface PlaceRecord {
  place: Place
  /** What is known of the place's area. */
  area: StoredAreaRecord
  position: PlacePosition
  readonly stays: PremisesStays
}

/** What a change of areas is decided on. */
export interface StoredAreaRecord {
  readonly bounds: Bounds
  readonly points: number
}

/** A muster. Its numbers and people are computed while it is open, and kept when it ends. */
export interface MusterRecord {
  readonly muster: Omit<Muster, keyof MusterNumbers>
  readonly entries: Map<OrgAuthServerId, MusterEntry>
  /** The stays that were open when it began; those that began since have ids above `lastStay`. */
  readonly stays: ReadonlySet<StayId>
  readonly lastStay: bigint
  /** The premises whose counts an anonymous one goes by (`musterPremises`), and what they answered when it began. */
  readonly premises: ReadonlyArray<PlaceId | undefined>
  readonly began: MusterCounts
  /** How many people are at the muster point of an anonymous organization. */
  readonly count: number
  readonly ended?: { readonly numbers: MusterNumbers; readonly people: ReadonlyArray<MusterPerson> }
}

/** A device with its tokens, and what it counted by the key of premises. */
export interface DeviceRecord {
  readonly device: Device
  readonly tokens: DeviceTokens
  readonly counts: Map<string, DeviceCount>
  /** Since when its readings have been below its highest totals. */
  readonly belowSince?: Timestamp | undefined
  readonly begun?: BegunEpochs | undefined
}

/** What a device counted at premises. */
export interface DeviceCount {
  readonly newest: number
  readonly epochs: Map<string, StoredEpoch>
  readonly drift: Drift
}

/** A webhook, and the server that delivers for it. */
export interface WebhookRecord {
  webhook: Webhook
  /** The newest first. */
  attempts: ReadonlyArray<WebhookAttempt>
  /** Whether a test waits for a server that sends it. */
  isTestDue: boolean
  lease: { readonly holder: string; readonly until: Timestamp } | undefined
}

/** An organization and all that it owns: it ends as a whole. */
export interface OrganizationRecord {
  data: Organization
  /** When it became authenticated last, after having been anonymous. */
  anonymousUntil: Timestamp | undefined
  readonly stays: PremisesStays
  readonly places: Map<PlaceId, PlaceRecord>
  /** In the order in which they were granted. Their mail addresses are the accounts'. */
  readonly permissions: Map<AdministratorId, Omit<Permission, "mail">>
  readonly personByUser: Map<UserId, OrgAuthServerId>
  readonly userByPerson: Map<OrgAuthServerId, UserId>
  policy: StayPolicy
  /** The last sweep lease. */
  lease: { readonly number: bigint; readonly taken: Timestamp | undefined }
  /** What erasures took from the stays, by day. */
  readonly erasures: Map<string, ErasureEntry>
  readonly feed: FeedRecord
  readonly history: HistoryRecord
  /** The keys of accesses that were imported, whatever became of these; but for those that were erased, or ended with their place. */
  readonly importKeys: Set<ImportKey>
  /** In the order in which they were started. */
  readonly musters: Map<MusterId, MusterRecord>
  /** By their level. */
  readonly floorPlans: Map<number, FloorPlanImage>
  /** In the order of creation. */
  readonly devices: Map<DeviceId, DeviceRecord>
  /** The next moments of the daily parts of the policy. */
  moments: DailyMoments
  /** In the order of creation. */
  readonly webhooks: Map<WebhookId, WebhookRecord>
}

/** A favorite, and its place in the order in which favorites were added. */
export interface FavoriteRecord {
  readonly id: FavoriteId
  readonly favorite: Favorite
}

/** What gets ids of the range of a cell. */
const ISSUED = [
  "organization",
  "place",
  "stay",
  "deletionRequest",
  "muster",
  "device",
  "webhook",
  "auditEntry"
] as const

type LastIds = Record<(typeof ISSUED)[number], bigint>

const lastIdsBefore = (first: bigint): LastIds =>
  Object.fromEntries(ISSUED.map((name) => [name, first - 1n])) as LastIds

/** The order of lists of what was created; what was created at one instant stays in its order. */
export const byCreation = (
  one: { readonly creationDate: Timestamp },
  other: { readonly creationDate: Timestamp }
): number => one.creationDate - other.creationDate

/** Everything that is stored. Every operation reads and writes it in one synchronous step, which makes it atomic. */
export interface State {
  identity: StorageId
  readonly lastId: LastIds
  readonly organizations: Map<OrganizationId, OrganizationRecord>
  readonly organizationByName: Map<string, OrganizationId>
  /** Of the home cell. */
  readonly cellByName: Map<string, CellNumber>
  readonly cellsBySubject: Map<string, Set<CellNumber>>
  /** Revocations of tokens by the hash of the caller, each with its number in the order of revoking. */
  readonly revocations: Map<string, { readonly revocation: TokenRevocation; readonly number: bigint }>
  readonly organizationByPlace: Map<PlaceId, OrganizationRecord>
  readonly organizationByMuster: Map<MusterId, OrganizationRecord>
  readonly organizationByDevice: Map<DeviceId, OrganizationRecord>
  /** Devices by the hashes of their tokens. */
  readonly deviceByToken: Map<string, DeviceId>
  readonly accounts: Map<AdministratorId, AdministratorAccount>
  readonly accountByMail: Map<string, AdministratorAccount>
  readonly passwords: Map<AdministratorId, PasswordHash>
  readonly favorites: Map<UserId, Map<OrganizationId, FavoriteRecord>>
  readonly deletionRequests: Map<DeletionRequestId, DeletionRequest>
  /** In the order in which they were added. */
  readonly audit: Array<AuditEntry>
  /** The premises with something that is recorded and not yet published. */
  readonly pending: Set<PremisesStays>
  /** Open since something was recorded after the last `publish`. */
  readonly appended: Latch.Latch
  /** The organizations whose feeds have new events. */
  readonly notifications: PubSub.PubSub<ReadonlyArray<OrganizationId>>
  readonly generation: string
}

/** Nothing is stored yet. Ids are those of the cell. */
export const emptyState = (notifications: State["notifications"], cell: CellNumber): State => ({
  identity: SecureRandom.uuidV4Unsafe() as StorageId,
  lastId: lastIdsBefore(idRangeOf(cell).first),
  organizations: new Map(),
  organizationByName: new Map(),
  cellByName: new Map(),
  cellsBySubject: new Map(),
  revocations: new Map(),
  organizationByPlace: new Map(),
  organizationByMuster: new Map(),
  organizationByDevice: new Map(),
  deviceByToken: new Map(),
  accounts: new Map(),
  accountByMail: new Map(),
  passwords: new Map(),
  favorites: new Map(),
  deletionRequests: new Map(),
  audit: [],
  pending: new Set(),
  appended: Latch.makeUnsafe(false),
  notifications,
  generation: SecureRandom.uuidV4Unsafe()
})

/** The stays of premises that begin now. */
export const emptyStays = (organizationId: OrganizationId, beganAt: Timestamp, placeId?: PlaceId): PremisesStays => ({
  organizationId,
  open: new Map(),
  openByPerson: new Map(),
  recorded: new Map(),
  closed: new Map(),
  closedByPerson: new Map(),
  imported: new Map(),
  retries: new Map(),
  totals: newTotals(placeId),
  exits: 0,
  countedOut: 0,
  counted: undefined,
  missing: [],
  correctedUntil: undefined,
  pending: [],
  beganAt,
  buckets: { minute: [], quarter: [], day: [] }
})

/** The stays of an organization and of each of its places. */
export const everyStays = (organization: OrganizationRecord): ReadonlyArray<PremisesStays> => [
  organization.stays,
  ...Array.from(organization.places.values(), ({ stays }) => stays)
]

/** Forgets that a stay was imported, and its key. */
export const forgetImport = (importKeys: Set<ImportKey>, { imported }: PremisesStays, id: StayId): void => {
  const key = imported.get(id)
  imported.delete(id)
  if (key !== undefined) importKeys.delete(key)
}

export const endOpen = (
  stays: PremisesStays,
  { id, orgAuthServerId }: Pick<OpenStay, "id" | "orgAuthServerId">
): void => {
  stays.open.delete(id)
  stays.recorded.delete(id)
  if (orgAuthServerId !== undefined) stays.openByPerson.delete(orgAuthServerId)
}

/** Some premises as they are stored: their organization, and their own stays. */
export interface StoredPremises {
  readonly organization: OrganizationRecord
  readonly stays: PremisesStays
}

export const findPremises = (state: State, premises: Premises): StoredPremises | undefined => {
  if (premises._tag === "OrganizationPremises") {
    const organization = state.organizations.get(premises.organizationId)
    return organization === undefined ? undefined : { organization, stays: organization.stays }
  }
  const organization = state.organizationByPlace.get(premises.placeId)
  const place = organization?.places.get(premises.placeId)
  return organization === undefined || place === undefined ? undefined : { organization, stays: place.stays }
}

/** {@link findPremises}, which fails with `PremisesNotFound`. */
export const requirePremises = (state: State, premises: Premises): Result.Result<StoredPremises, PremisesNotFound> =>
  Result.fromNullishOr(findPremises(state, premises), () => new PremisesNotFound({ premises }))

/** Finds an organization; fails with `OrganizationNotFound`. */
export const findOrganization = (
  state: State,
  organizationId: OrganizationId
): Result.Result<OrganizationRecord, OrganizationNotFound> =>
  Result.fromNullishOr(state.organizations.get(organizationId), () => new OrganizationNotFound({ organizationId }))

export const levelIn = (
  organization: OrganizationRecord,
  administratorId: AdministratorId
): Option.Option<PermissionLevel> =>
  Option.map(Option.fromUndefinedOr(organization.permissions.get(administratorId)), (permission) => permission.level)

/** The administrator's level in an organization; fails with `PermissionTooLow` below the one that is required. */
export const requireLevelIn = (
  organization: OrganizationRecord,
  administratorId: AdministratorId,
  required: PermissionLevel
): Result.Result<PermissionLevel, PermissionTooLow> => requireLevel(levelIn(organization, administratorId), required)

/** The level of a reader in an organization, by the rule `levelOfReader`. */
export const levelOfReaderIn = (organization: OrganizationRecord, reader: Reader): Option.Option<PermissionLevel> =>
  levelOfReader(
    reader,
    organization.data.id,
    Option.flatMap(Option.fromUndefinedOr(administratorOf(reader)), (id) => levelIn(organization, id))
  )

/** Requires that a reader has the level of a viewer. */
export const requireViewer = (
  organization: OrganizationRecord,
  reader: Reader
): Result.Result<PermissionLevel, PermissionTooLow> => requireLevel(levelOfReaderIn(organization, reader), "viewer")

export const findAccounts = (state: State, { administratorId, mail }: AdministratorName): NamedAccounts => ({
  byId: Option.fromUndefinedOr(administratorId === undefined ? undefined : state.accounts.get(administratorId)),
  byMail: Option.fromUndefinedOr(mail === undefined ? undefined : state.accountByMail.get(mailKey(mail)))
})

export const keepAccount = (state: State, { passwordHash, ...account }: NewAccount): void => {
  const former = state.accounts.get(account.administratorId)?.mail
  if (former !== undefined) state.accountByMail.delete(mailKey(former))
  state.accounts.set(account.administratorId, account)
  if (account.mail !== undefined) state.accountByMail.set(mailKey(account.mail), account)
  if (passwordHash !== undefined) state.passwords.set(account.administratorId, passwordHash)
}

/** A permission with the mail address of its administrator's account. */
export const withMail = (state: State, permission: Omit<Permission, "mail">): Permission => ({
  ...permission,
  mail: state.accounts.get(permission.administratorId)?.mail
})

/** What is known of an area, as it is stored beside it. */
export const measured = (area: TrackingArea): StoredAreaRecord => ({
  bounds: boundsOf(area),
  points: areaWeight(area)
})

export const placeRecordOf = ({ place: { id, trackingArea }, area, position }: PlaceRecord): Core.PlaceRecord => ({
  id,
  trackingArea,
  bounds: area.bounds,
  ...position
})

/** Facts that no change is decided on: it reads those of its own moment. */
export const previewOf = <Facts>(facts: Facts): Core.Preview<Facts> => ({ facts, revision: 0n })

/** A page of a list in the order of its ids, whose items follow `after`. Each item comes with an area that it holds. */
export const pageOf = <Id extends bigint, Item>(
  items: Iterable<readonly [Id, Item, TrackingArea]>,
  after: Id | undefined,
  limit = PAGE_ITEMS
): Page<Item> => {
  const page: Array<Item> = []
  let text = 0
  for (const [id, item, trackingArea] of items) {
    if (after !== undefined && id <= after) continue
    if (text >= PAGE_TEXT || page.length >= limit) return { items: page, hasMore: true }
    page.push(item)
    text += trackingArea.text.length
  }
  return { items: page, hasMore: false }
}

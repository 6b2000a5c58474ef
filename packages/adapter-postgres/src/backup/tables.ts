/**
 * What the rows of each table may be, by what the domain accepts: a file that another program made or changed may hold anything that a
 * column can. The compiler asks for a new table, and a test for a new column.
 */
import {
  ActorKind,
  AdministratorId,
  CapacityNumber,
  CellNumber,
  Changes,
  checkFloorPlan,
  DeletionReason,
  DeletionRequestStatus,
  DeviceKind,
  DeviceName,
  Epoch,
  EventGrain,
  FLOOR_PLAN_TYPES,
  LARGEST_ISSUED_ID,
  LEVELS,
  LongestStay,
  Mail,
  mailKey,
  MusterKind,
  MusterNote,
  OperatorId,
  ORGANIZATION_FIELDS,
  type OrganizationId,
  OrgAuthServerId,
  parseWebhookUrl,
  PermissionLevel,
  PlaceName,
  Retention,
  SilentAfter,
  SmallestCount,
  Text,
  textOf,
  TimeOfDay,
  TimeZoneName,
  TrackingMode,
  UserId,
  WarnAt,
  warningFrom,
  WebhookEventType
} from "@sojourn/core"
import { Result, Schema } from "effect"
import type { Table } from "../migrations/Migrations.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const LARGEST = Number(LARGEST_ISSUED_ID)

const id = between(1, LARGEST)
/** 0 is the organization as a whole. */
const placeId = between(0, LARGEST)
const count = between(0, LARGEST)
const change = between(-LARGEST, LARGEST)
const keyId = between(0, 255)
const level = between(LEVELS.smallest, LEVELS.largest)
const state = Schema.Literals(["none", "normal", "warning", "full", "over"])
/** An instant, whose range SQL checks. */
const time = Schema.String
/** 32 hexadecimal digits, with hyphens. */
const uuid = Schema.String
const or = Schema.NullOr
const list = Schema.Array

/** A rule on a whole row. */
const rule = <Row>(holds: (row: Row) => boolean) => Schema.makeFilter(holds)

const isWebhookUrl = Schema.makeFilter((text: string) => Result.isSuccess(parseWebhookUrl(text)))

const floorPlan = Schema.Struct({
  organization_id: id,
  level,
  west: Schema.Finite,
  south: Schema.Finite,
  east: Schema.Finite,
  north: Schema.Finite,
  rotation: Schema.Finite,
  type: Schema.Literals(FLOOR_PLAN_TYPES),
  bytes: count,
  digest: Schema.String,
  image: Schema.String
})

/** The image is one of its type, and lies where one may lie. */
const isFloorPlan = ({ image, organization_id, digest: _, ...plan }: typeof floorPlan.Type): boolean =>
  Result.isSuccess(
    checkFloorPlan({
      ...plan,
      organizationId: BigInt(organization_id) as OrganizationId,
      image: Buffer.from(image.slice("\\x".length), "hex")
    })
  )

/** The columns of an event that its type needs, and the words that they may hold. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string> | undefined>>>> = {
  "presence.changed": { entered: undefined, departed: undefined, inside: undefined },
  "capacity.changed": { level: undefined, inside: undefined },
  "place.changed": { changed: ["created", "updated", "deleted"] },
  "organization.changed": { changed: ["updated"] },
  "muster.changed": { muster_id: undefined, state: ["started", "updated", "ended"] },
  "device.changed": { device_id: undefined, state: ["ok", "silent", "behind"] }
}

const isEvent = (row: { readonly type: string; readonly [column: string]: unknown }): boolean =>
  Object.entries(EVENTS[row.type] ?? {}).every(([column, words]) =>
    words === undefined ? row[column] !== null : words.includes(row[column] as string)
  )

/** The columns of each table. */
export const ROWS: { readonly [T in Table]: Schema.Codec<unknown, unknown> } = {
  account_link: Schema.Struct({ organization_id: id, user_id: UserId, org_auth_server_id: OrgAuthServerId }),
  administrator_account: Schema.Struct({
    administrator_id: AdministratorId,
    mail: or(Mail),
    mail_key: or(Schema.String),
    is_invitation: Schema.Boolean,
    is_mail_unproved: Schema.Boolean,
    password_hash: or(textOf(1, 256))
  }).check(rule(({ mail, mail_key }) => (mail === null ? null : mailKey(mail)) === mail_key)),
  audit_entry: Schema.Struct({
    /** 0 is none. */
    organization_id: between(0, LARGEST),
    at: time,
    id,
    place_id: or(id),
    actor_kind: ActorKind,
    actor_id: textOf(1, 256),
    action: textOf(1, 100),
    target_kind: or(textOf(1, 100)),
    target_id: or(textOf(1, 320)),
    changes: or(Changes),
    people: or(count),
    request_id: or(textOf(1, 128))
  }),
  counted_people: Schema.Struct({
    organization_id: id,
    place_id: placeId,
    counted: count,
    missing: Schema.String,
    corrected_until: or(time)
  }),
  deletion_request: Schema.Struct({
    id,
    organization_id: id,
    administrator_id: AdministratorId,
    reason: or(DeletionReason),
    creation_date: time,
    status: DeletionRequestStatus,
    decision_date: or(time),
    decided_by: or(OperatorId)
  }).check(
    rule(({ status, decision_date, decided_by }) =>
      [decision_date, decided_by].every((part) => (part === null) === (status === "pending"))
    )
  ),
  device: Schema.Struct({
    id,
    organization_id: id,
    name: DeviceName,
    kind: DeviceKind,
    creation_date: time,
    token_hash: textOf(1, 64),
    former_hash: or(textOf(1, 64)),
    former_until: or(time),
    state: Schema.Literals(["new", "ok", "silent", "behind"]),
    seen_at: or(time),
    below_since: or(time),
    begun_since: or(time),
    begun_people: count,
    drift: count
  }),
  device_epoch: Schema.Struct({
    organization_id: id,
    device_id: id,
    place_id: placeId,
    epoch: Epoch,
    number: id,
    in_total: count,
    out_total: count
  }),
  device_premises: Schema.Struct({
    organization_id: id,
    device_id: id,
    place_id: placeId,
    position: count,
    newest: count,
    drift: count,
    drift_before: count,
    drift_at: or(time)
  }),
  entrance_retry: Schema.Struct({
    organization_id: id,
    place_id: placeId,
    retry_key: textOf(1, 64),
    stay_id: id,
    person: or(OrgAuthServerId),
    key_id: keyId,
    entered_at: time,
    used_at: time
  }),
  erasure: Schema.Struct({
    organization_id: id,
    day: Schema.String,
    people: count,
    accesses: count,
    open_stays: count,
    total_time: count
  }),
  favorite: Schema.Struct({
    organization_id: id,
    user_id: UserId,
    org_auth_server_id: or(OrgAuthServerId),
    creation_date: time,
    added: id
  }),
  floor_plan: floorPlan.check(rule(isFloorPlan)),
  import_key: Schema.Struct({ organization_id: id, key: uuid }),
  imported_stay: Schema.Struct({
    organization_id: id,
    place_id: placeId,
    stay_id: id,
    exited_at: time,
    import_key: or(uuid)
  }),
  muster: Schema.Struct({
    organization_id: id,
    id,
    mode: TrackingMode,
    kind: MusterKind,
    note: or(MusterNote),
    started_at: time,
    started_by: AdministratorId,
    ended_at: or(time),
    last_stay: count,
    gone_stays: list(id),
    premises: list(placeId),
    entered: count,
    exits: count,
    inside: count,
    safe: count,
    departed: count,
    missing: count,
    counted: or(count),
    swept_places: list(id),
    swept_ats: list(time),
    swept_by: list(AdministratorId)
  }),
  muster_beginning: Schema.Struct({
    organization_id: id,
    muster_id: id,
    people: list(OrgAuthServerId),
    place_ids: list(placeId),
    stay_ids: list(id),
    entrances: list(time)
  }),
  muster_person: Schema.Struct({
    organization_id: id,
    muster_id: id,
    person: OrgAuthServerId,
    place_ids: list(placeId),
    since: or(time),
    marked_at: or(time),
    ended_at: or(time)
  }),
  muster_result: Schema.Struct({
    organization_id: id,
    muster_id: id,
    people: list(OrgAuthServerId),
    place_ids: list(Schema.String.check(Schema.isPattern(/^\{([0-9]+(,[0-9]+)*)?\}$/))),
    since: list(or(time)),
    states: list(Schema.Literals(["missing", "safe", "left"])),
    ats: list(or(time))
  }),
  open_stay: Schema.Struct({
    organization_id: id,
    place_id: placeId,
    id,
    person: or(OrgAuthServerId),
    key_id: keyId,
    entered_at: time,
    recorded_at: time
  }),
  organization: Schema.Struct({
    id,
    name: ORGANIZATION_FIELDS.name,
    description: or(ORGANIZATION_FIELDS.description),
    image: or(ORGANIZATION_FIELDS.image),
    street: or(ORGANIZATION_FIELDS.street),
    number: or(ORGANIZATION_FIELDS.number),
    post_code: or(ORGANIZATION_FIELDS.postCode),
    city: or(ORGANIZATION_FIELDS.city),
    country: or(ORGANIZATION_FIELDS.country),
    authentication_server: or(ORGANIZATION_FIELDS.authenticationServer),
    tracking_area: Text,
    tracking_mode: TrackingMode,
    anonymous_until: or(time),
    max_area: or(ORGANIZATION_FIELDS.maxArea),
    time_zone: or(TimeZoneName),
    creation_date: time,
    last_change_date: time,
    revision: count
  }).check(
    rule(({ tracking_mode, authentication_server }) => tracking_mode === "anonymous" || authentication_server !== null)
  ),
  organization_cell: Schema.Struct({ name: ORGANIZATION_FIELDS.name, cell: CellNumber }),
  pending_change: Schema.Struct({
    organization_id: id,
    place_id: placeId,
    at: time,
    stayed: count,
    entered: count,
    departed: count,
    exits: count,
    counted: change,
    counted_out: count,
    is_correction: Schema.Boolean,
    is_anonymous: Schema.Boolean
  }),
  permission: Schema.Struct({
    organization_id: id,
    administrator_id: AdministratorId,
    level: PermissionLevel,
    org_auth_server_id: or(OrgAuthServerId),
    nominated_by: Text,
    granted: id
  }),
  place: Schema.Struct({
    organization_id: id,
    id,
    name: or(PlaceName),
    tracking_area: Text,
    west: Schema.Finite,
    east: Schema.Finite,
    south: Schema.Finite,
    north: Schema.Finite,
    area_points: count,
    level: or(level),
    floor: level,
    ancestors: list(id)
  }),
  presence_bucket: Schema.Struct({
    organization_id: id,
    place_id: placeId,
    step: Schema.Literals([60, 900, 86_400]),
    began_at: time,
    changed_at: time,
    entered: count,
    departed: count,
    exits: count,
    stayed: count,
    inside_before: change,
    least: change,
    most: change,
    inside_time: change
  }),
  presence_event: Schema.Struct({
    organization_id: id,
    version: id,
    at: time,
    type: WebhookEventType,
    place_id: placeId,
    entered: or(count),
    departed: or(count),
    inside: or(change),
    exits: or(count),
    stayed: or(count),
    level: or(state),
    capacity: or(CapacityNumber),
    changed: or(Schema.String),
    muster_id: or(id),
    state: or(Schema.String),
    place_level: or(level),
    parent_id: or(id),
    device_id: or(id),
    corrected: or(Schema.Boolean)
  }).check(rule(isEvent)),
  presence_feed: Schema.Struct({ organization_id: id, version: count, at: time }),
  presence_history: Schema.Struct({
    organization_id: id,
    version: count,
    minutes_from: or(time),
    imported_at: or(time)
  }),
  presence_totals: Schema.Struct({
    organization_id: id,
    place_id: placeId,
    entered: count,
    departed: count,
    exits: count,
    counted_out: count,
    capacity: or(CapacityNumber),
    warn_at: or(WarnAt),
    warn_from: or(count),
    level: state,
    published_at: or(time),
    began_at: time
  }).check(
    rule(({ capacity, warn_at: warnAt, warn_from, level: now }) =>
      capacity === null || warnAt === null
        ? capacity === warnAt && warn_from === null && now === "none"
        : warn_from === warningFrom({ capacity, warnAt }) && now !== "none"
    )
  ),
  stay: Schema.Struct({
    organization_id: id,
    place_id: placeId,
    id,
    person: or(OrgAuthServerId),
    entered_at: time,
    exited_at: time
  }),
  stay_policy: Schema.Struct({
    organization_id: id,
    longest_stay: or(LongestStay),
    retention: or(Retention),
    lease_number: count,
    leased_at: or(time),
    event_grain: or(EventGrain),
    smallest_count: or(SmallestCount),
    counted_reset_at: or(TimeOfDay),
    stays_end_at: or(TimeOfDay),
    device_silent_after: or(SilentAfter),
    exclusive_places: or(Schema.Boolean),
    reset_at: or(time),
    end_at: or(time),
    end_begun_at: or(time)
  }).check(
    rule(({ counted_reset_at, reset_at }) => (counted_reset_at === null) === (reset_at === null)),
    rule(({ stays_end_at, end_at }) => (stays_end_at === null) === (end_at === null))
  ),
  storage_identity: Schema.Struct({ is_single: Schema.Boolean, identity: Schema.String }),
  subject_cell: Schema.Struct({
    kind: Schema.Literals(["administrator", "user"]),
    id: textOf(1, 256),
    cell: CellNumber
  }),
  token_key: Schema.Struct({ id: keyId, fingerprint: textOf(1, 64) }),
  token_revocation: Schema.Struct({ caller_hash: textOf(1, 64), issued_before: time, revision: id }),
  webhook: Schema.Struct({
    id,
    organization_id: id,
    url: Schema.String.check(isWebhookUrl),
    types: Schema.NonEmptyArray(WebhookEventType),
    key_id: keyId,
    secret_number: count,
    earlier_key_id: or(keyId),
    earlier_secret_number: or(count),
    earlier_until: or(time),
    creation_date: time,
    created_by: AdministratorId,
    is_test_due: Schema.Boolean,
    revision: count,
    attempted: count,
    processed: count,
    batch_end: or(count),
    delivered: or(count),
    presence_at: or(time),
    attempts: count,
    retry_at: or(time),
    state: Schema.Literals(["active", "failing", "disabled"]),
    failed_at: or(time),
    failure: or(Text),
    holder: or(Text),
    leased_until: or(time)
  }),
  webhook_attempt: Schema.Struct({
    webhook_id: id,
    slot: between(0, 49),
    number: id,
    version: or(count),
    at: time,
    status: or(between(100, 999)),
    ms: count,
    failure: or(Text)
  })
}

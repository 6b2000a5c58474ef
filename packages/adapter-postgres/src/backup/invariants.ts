/**
 * Checks a restored backup before its transaction commits. A file that another program made or changed may break rules that no
 * constraint of the schema enforces.
 */
import {
  areaWeight,
  boundsOf,
  keptTrackingArea,
  MAX_DEVICES,
  MAX_FLOOR_PLANS,
  MAX_WEBHOOKS,
  parseAuthenticationServerUrl,
  type TrackingArea
} from "@sojourn/core"
import { Effect, Result, Schema } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { MEASURED_COLUMNS } from "../organizations/placeFacts.ts"
import { ISSUED, type Table, TABLES } from "../migrations/Migrations.ts"
import { type Snapshot, SnapshotInvalid } from "./Snapshot.ts"
import { ROWS } from "./tables.ts"

/** Rows of a table with a time that no timestamp of the interface has. */
const untimely = (table: string, ...columns: ReadonlyArray<string>) =>
  `select from ${table} where ${columns
    .map((column) => `${column} < '0001-01-01 00:00:00+00 BC' or ${column} >= '10000-01-01 00:00:00+00'`)
    .join(" or ")}`

/** The same for columns of arrays of times. */
const untimelyLists = (table: string, ...columns: ReadonlyArray<string>) =>
  columns.map((column) => untimely(`${table} cross join lateral unnest(${column}) as times (instant)`, "instant"))

/** Rows of a table of lists whose arrays differ in length. */
const unequal = (table: string, [first, ...others]: ReadonlyArray<string>) =>
  `select from ${table} where ${others.map((column) => `cardinality(${column}) <> cardinality(${first})`).join(" or ")}`

const inNoPremises = (table: string) => `
  select from (select distinct organization_id, place_id from ${table}) s
  where not exists (select from organization o where o.id = s.organization_id)
    or (s.place_id <> 0 and not exists (
      select from place p where p.organization_id = s.organization_id and p.id = s.place_id
    ))`

const moreThan = (most: number, table: string) =>
  `select from ${table} group by organization_id having count(*) > ${most}`

/**
 * Invariants between rows of the current schema that no constraint enforces, each as queries for rows that violate it. Servers keep them; a
 * file that another program made or changed may not.
 */
const VIOLATIONS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "two places with one id": ["select from place group by id having count(*) > 1"],
  "an organization without an owner": [
    `select from organization o where not exists (
      select from permission p where p.organization_id = o.id and p.level = 'owner'
    )`
  ],
  "stays in a place or an organization that it does not hold": ["open_stay", "stay"].map(inNoPremises),
  "people counted or devices in a place that it does not hold": ["counted_people", "device_premises"].map(inNoPremises),
  "a device that it does not hold": ["device_premises", "device_epoch"].map(
    (table) => `select from ${table} e where not exists (
      select from device d where d.organization_id = e.organization_id and d.id = e.device_id
    )`
  ),
  "an organization or a place without its feed": [
    ...["presence_feed", "presence_history"].map(
      (table) => `select from organization o where not exists (select from ${table} f where f.organization_id = o.id)`
    ),
    ...["select id as organization_id, 0 as place_id from organization", "select organization_id, id from place"].map(
      (premises) => `select from (${premises}) p (organization_id, place_id) where not exists (
        select from presence_totals t where t.organization_id = p.organization_id and t.place_id = p.place_id
      )`
    )
  ],
  "an organization with more than it may have": [
    moreThan(MAX_DEVICES, "device"),
    moreThan(MAX_FLOOR_PLANS, "floor_plan"),
    moreThan(MAX_WEBHOOKS, "webhook")
  ],
  "a stay that is both open and closed": ["select from open_stay join stay using (organization_id, place_id, id)"],
  "a time that is out of the years 0 to 9999": [
    untimely("device", "creation_date", "former_until", "seen_at", "below_since", "begun_since"),
    untimely("device_premises", "drift_at"),
    untimely("counted_people", "corrected_until"),
    untimely("organization", "creation_date", "last_change_date", "anonymous_until"),
    untimely("favorite", "creation_date"),
    untimely("deletion_request", "creation_date", "decision_date"),
    untimely("open_stay", "entered_at", "recorded_at"),
    untimely("stay", "entered_at", "exited_at"),
    untimely("entrance_retry", "entered_at", "used_at"),
    untimely("stay_policy", "leased_at", "reset_at", "end_at", "end_begun_at"),
    untimely("muster", "started_at", "ended_at"),
    untimely("muster_person", "since", "marked_at", "ended_at"),
    ...untimelyLists("muster", "swept_ats"),
    ...untimelyLists("muster_beginning", "entrances"),
    ...untimelyLists("muster_result", "since", "ats"),
    untimely("presence_feed", "at"),
    untimely("presence_totals", "published_at", "began_at"),
    untimely("presence_event", "at"),
    untimely("pending_change", "at"),
    untimely("presence_history", "minutes_from"),
    untimely("presence_bucket", "began_at", "changed_at"),
    untimely("webhook", "creation_date", "presence_at", "retry_at", "failed_at", "earlier_until", "leased_until"),
    untimely("webhook_attempt", "at")
  ],
  "a muster whose people do not fit it": [
    `select from muster m where ended_at is not null and (
      exists (select from muster_person p where p.organization_id = m.organization_id and p.muster_id = m.id)
      or exists (select from muster_beginning b where b.organization_id = m.organization_id and b.muster_id = m.id)
    )`,
    "select from muster m join muster_result r on r.organization_id = m.organization_id and r.muster_id = m.id where ended_at is null",
    unequal("muster", ["swept_places", "swept_ats", "swept_by"]),
    unequal("muster_beginning", ["people", "place_ids", "stay_ids", "entrances"]),
    unequal("muster_result", ["people", "place_ids", "since", "states", "ats"])
  ],
  "a webhook that delivers for an administrator who is no owner": [
    `select from webhook w where state <> 'disabled' and not exists (
      select from permission p
      where p.organization_id = w.organization_id and p.administrator_id = w.created_by and p.level = 'owner'
    )`
  ],
  "an attempt of a webhook out of its place": [
    `select from webhook_attempt a join webhook w on w.id = a.webhook_id
    where slot <> number % 50 or number not between 1 and w.attempted or ms < 0`
  ],
  "two favorites of a user with one number": ["select from favorite group by user_id, added having count(*) > 1"],
  "a place whose level or position is none": [
    `select from place p
    left join place parent
      on parent.organization_id = p.organization_id and parent.id = p.ancestors[cardinality(p.ancestors)]
    where cardinality(p.ancestors) >= 8 or p.floor is distinct from coalesce(p.level, parent.floor, 0)
      or (p.ancestors <> '{}' and p.ancestors is distinct from parent.ancestors || parent.id)`
  ],
  "a floor plan whose digest or length is not that of its image": [
    "select from floor_plan where digest <> encode(sha256(image), 'hex') or bytes <> octet_length(image)"
  ],
  "a presence feed whose events do not follow each other": [
    `select from presence_event group by organization_id having max(version) - min(version) + 1 <> count(*)`,
    `select from presence_feed f where version <> coalesce((
      select max(version) from presence_event e where e.organization_id = f.organization_id
    ), 0)`
  ],
  "a presence history that is ahead of its feed": [
    "select from presence_history r join presence_feed f using (organization_id) where r.version > f.version"
  ],
  "a presence feed that differs from the open stays": [
    `select from (
      select organization_id, 1 as inside, place_id from open_stay
      union all select organization_id, counted, place_id from counted_people
      union all select organization_id, departed - entered, place_id from presence_totals
      union all select organization_id, departed - entered, place_id from pending_change
    ) counts
    where exists (select from organization o where o.id = counts.organization_id)
    group by organization_id, place_id having sum(inside) <> 0`
  ]
}

/** The number of areas of one fetch. */
const FETCHED_AREAS = 50

/** The area of a text; undefined where it is none. */
const areaOf = (text: string): TrackingArea | undefined => {
  const area = keptTrackingArea(text)
  return Result.isSuccess(Result.try({ try: () => area.polygons, catch: () => undefined })) ? area : undefined
}

/** Writes the bounds and weights of places' areas: those of the file may not fit the areas. */
const MEASURE = `
update place p set (${MEASURED_COLUMNS}) = row (m.west, m.east, m.south, m.north, m.area_points)
from json_to_recordset($1::json) as m (
  organization_id bigint, id bigint, west float8, east float8, south float8, north float8, area_points integer
)
where p.organization_id = m.organization_id and p.id = m.id`

interface PlaceRow {
  readonly organization_id: string
  readonly id: string
  readonly text: string
}

/** Refuses texts that the domain's parsers do not accept: every list with one of them would fail. Measures the areas of places. */
const readAreas = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const servers = yield* sql<{ readonly text: string }>`
    select distinct authentication_server as text from organization where authentication_server is not null`
  if (servers.some(({ text }) => Result.isFailure(parseAuthenticationServerUrl(text)))) {
    return yield* new SnapshotInvalid({ reason: "an authentication server that is no URL of one" })
  }
  const notAnArea = new SnapshotInvalid({ reason: "a tracking area that is none" })
  yield* sql`declare kept_areas no scroll cursor for
    select id::text as organization_id, '0' as id, tracking_area as text from organization
    union all
    select organization_id::text, id::text, tracking_area from place`
  let rows: ReadonlyArray<PlaceRow>
  do {
    rows = yield* sql.unsafe<PlaceRow>(`fetch ${FETCHED_AREAS} from kept_areas`)
    const measured: Array<object> = []
    for (const { organization_id, id, text } of rows) {
      const area = areaOf(text)
      if (area === undefined) return yield* notAnArea
      if (id !== "0") measured.push({ organization_id, id, ...boundsOf(area), area_points: areaWeight(area) })
    }
    if (measured.length > 0) yield* sql.unsafe(MEASURE, [JSON.stringify(measured)])
  } while (rows.length === FETCHED_AREAS)
  yield* sql`close kept_areas`
})

/** The number of rows of one fetch. */
const FETCHED_ROWS = 1000

/** Refuses rows that the domain does not accept. */
const requireRows = Effect.fnUntraced(function* (table: Table) {
  const sql = yield* SqlClient.SqlClient
  const accepts = Schema.decodeUnknownResult(ROWS[table], { onExcessProperty: "error" })
  yield* sql`declare restored_rows no scroll cursor for select to_json(restored)::text as row from ${sql(table)} restored`
  let rows: ReadonlyArray<{ readonly row: string }>
  do {
    rows = yield* sql.unsafe<{ readonly row: string }>(`fetch ${FETCHED_ROWS} from restored_rows`)
    for (const { row } of rows) {
      const accepted = accepts(JSON.parse(row))
      if (Result.isSuccess(accepted)) continue
      return yield* new SnapshotInvalid({ reason: `a row of ${table} that no server writes` })
    }
  } while (rows.length === FETCHED_ROWS)
  yield* sql`close restored_rows`
})

/** Refuses rows that violate an invariant, and measures the areas of places. */
export const requireInvariants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(TABLES, requireRows, { discard: true })
  for (const [reason, queries] of Object.entries(VIOLATIONS)) {
    for (const query of queries) {
      const [found] = yield* sql.unsafe<{ readonly found: boolean }>(`select exists (${query}) as found`)
      if (found?.found === true) return yield* new SnapshotInvalid({ reason })
    }
  }
  yield* readAreas
})

/** Refuses a snapshot without the value of a sequence, or with one below the rows: ids would be issued again. */
export const requireSequences = Effect.fnUntraced(function* (
  existing: ReadonlyArray<string>,
  { sequences }: Pick<Snapshot, "sequences">
) {
  const sql = yield* SqlClient.SqlClient
  for (const name of existing) {
    const last = sequences[name]
    if (last === undefined) return yield* new SnapshotInvalid({ reason: `no last value of the sequence ${name}` })
    for (const [table, column] of ISSUED[name] ?? []) {
      const [row] = yield* sql<{ readonly most: string }>`
        select coalesce(max(${sql(column)}), 0)::text as most from ${sql(table)}`
      if (BigInt(row!.most) > BigInt(last)) {
        return yield* new SnapshotInvalid({ reason: `a sequence ${name} that is behind its rows` })
      }
    }
  }
})

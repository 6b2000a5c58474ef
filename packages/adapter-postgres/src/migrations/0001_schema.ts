import { Clock, Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeMonth, monthOf, REST } from "../database/audit.sql.ts"
import { IDENTIFYING } from "../database/identifying.ts"
import { CREATE_FIRST } from "../stays/partitions.sql.ts"
import { HAS_PERSON, IS_LONG, LENGTH_CLASS } from "../stays/windows.sql.ts"

/**
 * The schema. It is shaped to be distributed by Citus, which requires:
 *
 * - every unique key of a table that grows with organizations' data begins with `organization_id` (`organization`,
 *   `administrator_account` and `deletion_request` are small and become reference tables);
 * - ids come from sequences of their own, never from identity columns;
 * - foreign keys lead to reference tables alone. `open_stay`, `stay`, `presence_event` and `pending_change` have none: checking the
 *   reference would lock the organization's row with every movement, which then waits for changes of the organization.
 *
 * `place_id` 0 stands for the organization as a whole: no place has this id, and unlike null it is equal to itself.
 */
const STATEMENTS = [
  // anonymous_until: when it became authenticated last, after having been anonymous. revision: how often it was locked for a change.
  `create sequence organization_id maxvalue 9007199254740991`,
  `create table organization (
    id bigint primary key default nextval('organization_id'),
    name text not null constraint organization_name unique,
    description text,
    image text,
    street text,
    number text,
    post_code jsonb,
    city text,
    country text,
    authentication_server text,
    tracking_area text not null,
    tracking_mode text not null check (tracking_mode in ('anonymous', 'authenticated')),
    anonymous_until timestamptz,
    max_area double precision,
    time_zone text,
    creation_date timestamptz not null,
    last_change_date timestamptz not null,
    revision bigint not null default 0
  )`,

  // west to area_points: the bounds and the weight of the area, so that a comparison reads only the areas nearby. floor: the level in
  // effect. ancestors: the places that it is a part of, the outermost first. Both follow from the levels and parents of all places.
  `create sequence place_id maxvalue 9007199254740991`,
  `create table place (
    organization_id bigint not null references organization (id),
    id bigint not null default nextval('place_id'),
    name text,
    tracking_area text not null,
    west double precision not null,
    east double precision not null,
    south double precision not null,
    north double precision not null,
    area_points integer not null,
    level smallint,
    floor smallint not null default 0,
    ancestors bigint[] not null default '{}',
    primary key (organization_id, id)
  )`,
  `create index place_by_id on place (id)`,

  // is_mail_unproved: an owner entered the address, and no administrator has proved it.
  `create table administrator_account (
    administrator_id text primary key,
    mail text,
    mail_key text constraint administrator_account_mail unique,
    is_invitation boolean not null default false,
    is_mail_unproved boolean not null default false,
    password_hash text
  )`,

  `create sequence permission_granted`,
  `create table permission (
    organization_id bigint not null references organization (id),
    administrator_id text not null references administrator_account (administrator_id),
    level text not null check (level in ('viewer', 'manager', 'owner')),
    org_auth_server_id text,
    nominated_by text not null,
    granted bigint not null default nextval('permission_granted'),
    primary key (organization_id, administrator_id)
  )`,
  `create index permission_by_administrator on permission (administrator_id)`,
  `create index permission_by_nominator on permission (nominated_by)`,

  `create table account_link (
    organization_id bigint not null references organization (id),
    user_id text not null,
    org_auth_server_id text not null,
    primary key (organization_id, user_id),
    constraint account_link_person unique (organization_id, org_auth_server_id)
  )`,
  `create index account_link_by_user on account_link (user_id)`,

  // Of the home cell: which cell may have the organization of a name. A row is written before the organization, and no other cell has it.
  `create table organization_cell (
    name text primary key,
    cell smallint not null check (cell between 0 and 255)
  )`,

  // Of the home cell: the cells beside it that may have permissions of an administrator, or favorites of a user.
  `create table subject_cell (
    kind text not null check (kind in ('administrator', 'user')),
    id text not null,
    cell smallint not null check (cell between 1 and 255),
    primary key (kind, id, cell)
  )`,

  // Only the day of creation is kept: the moment could tell whose anonymous stay began then. added counts the favorites of a user: a number
  // over all users would order them.
  `create table favorite (
    organization_id bigint not null references organization (id),
    user_id text not null,
    org_auth_server_id text,
    creation_date timestamptz not null,
    added bigint not null,
    primary key (organization_id, user_id)
  )`,
  `create index favorite_by_user on favorite (user_id)`,
  `create index favorite_by_person on favorite (organization_id, org_auth_server_id) where org_auth_server_id is not null`,

  // No foreign key: requests outlive their organizations.
  `create sequence deletion_request_id maxvalue 9007199254740991`,
  `create table deletion_request (
    id bigint primary key default nextval('deletion_request_id'),
    organization_id bigint not null,
    administrator_id text not null,
    reason text,
    creation_date timestamptz not null,
    status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
    decision_date timestamptz,
    decided_by text
  )`,
  `create unique index deletion_request_pending on deletion_request (organization_id) where status = 'pending'`,

  // The people inside: as big as the crowd, whatever the history. recorded_at is the service's own clock.
  `create sequence stay_id maxvalue 9007199254740991`,
  `create table open_stay (
    organization_id bigint not null,
    place_id bigint not null,
    id bigint not null default nextval('stay_id'),
    person text,
    key_id smallint not null,
    entered_at timestamptz not null,
    recorded_at timestamptz not null,
    primary key (organization_id, place_id, id)
  ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  `create unique index open_stay_person on open_stay (organization_id, place_id, person) where person is not null`,

  // The history. Rows are only ever added. It begins with one partition: see `StayPartitions`.
  `create table stay (
    organization_id bigint not null,
    place_id bigint not null,
    id bigint not null,
    person text,
    entered_at timestamptz not null,
    exited_at timestamptz not null check (exited_at >= entered_at),
    primary key (organization_id, place_id, id)
  ) partition by range (id)`,
  `create index stay_by_person on stay (organization_id, place_id, person, entered_at) include (id, exited_at)
    where person is not null`,
  `create index stay_by_entrance on stay (organization_id, place_id, entered_at, id) where ${HAS_PERSON}`,
  // Small or empty: a report of a window reads the stays that began long before it by their length.
  `create index stay_long on stay (organization_id, place_id, (${LENGTH_CLASS}), exited_at) where ${HAS_PERSON} and ${IS_LONG}`,
  CREATE_FIRST,

  // The accesses that were imported, by whose exits they are forgotten: their ids are in no order with others of their time.
  `create table imported_stay (
    organization_id bigint not null,
    place_id bigint not null,
    stay_id bigint not null,
    exited_at timestamptz not null,
    import_key uuid,
    primary key (organization_id, place_id, stay_id)
  )`,
  `create index imported_stay_by_exit on imported_stay (organization_id, exited_at)`,
  // What stands for the keys that were imported: hashes. They stay when their accesses are forgotten, so that these are not imported again.
  `create table import_key (
    organization_id bigint not null,
    key uuid not null,
    primary key (organization_id, key)
  )`,

  // Which stay a retried entrance opened, for a day.
  `create table entrance_retry (
    organization_id bigint not null,
    place_id bigint not null,
    retry_key text not null,
    stay_id bigint not null,
    person text,
    key_id smallint not null,
    entered_at timestamptz not null,
    used_at timestamptz not null,
    constraint entrance_retry_key primary key (organization_id, place_id, retry_key)
  )`,
  `create index entrance_retry_by_age on entrance_retry using brin (used_at)`,
  `create index entrance_retry_by_person on entrance_retry (organization_id, person) where person is not null`,

  // Which exit-token keys this database was used with; a fingerprint tells keys apart and reveals nothing of them.
  `create table token_key (
    id smallint primary key,
    fingerprint text not null
  )`,

  // Of the home cell: the tokens of a caller that were issued before a moment are refused. revision: the order in which they were written.
  `create table token_revocation (
    caller_hash text primary key,
    issued_before timestamptz not null,
    revision bigint not null constraint token_revocation_revision unique
  )`,

  // The identity of the storage; a cell beside the home cell has none until it takes that of the home cell.
  `create table storage_identity (
    is_single boolean primary key default true check (is_single),
    identity uuid not null default gen_random_uuid()
  )`,
  `insert into storage_identity default values`,

  // Times are in seconds. lease_number and leased_at: the lease of the server that sweeps the organization.
  `create table stay_policy (
    organization_id bigint primary key references organization (id),
    longest_stay bigint,
    retention bigint,
    lease_number bigint not null default 0,
    leased_at timestamptz,
    event_grain bigint,
    smallest_count bigint,
    counted_reset_at text,
    stays_end_at text,
    device_silent_after bigint,
    exclusive_places boolean,
    reset_at timestamptz,
    end_at timestamptz,
    end_begun_at timestamptz
  )`,
  // reset_at: when the people counted become none next. end_at: when all open stays end next. Both are in the organization's time_zone.
  // end_begun_at: the last end_at whose end is in the audit.
  `create index stay_policy_by_reset on stay_policy (reset_at) where reset_at is not null`,
  `create index stay_policy_by_end on stay_policy (end_at) where end_at is not null`,
  // Small or empty: each entrance of a person asks whether any organization has exclusive places.
  `create index stay_policy_exclusive on stay_policy (organization_id) where exclusive_places`,
  // Small or empty: each reading of a counter with pending changes asks whether any organization has a publishing interval.
  `create index stay_policy_with_interval on stay_policy (organization_id) where event_grain >= 2`,

  // Tokens are random, and stored as their hashes alone. state and seen_at change with each reading, so no index has them. below_since: since
  // when all readings have been below the highest totals. begun_since and begun_people: what new epochs counted within a minute. drift: of
  // places that were deleted.
  `create sequence device_id maxvalue 9007199254740991`,
  `create table device (
    id bigint primary key default nextval('device_id'),
    organization_id bigint not null references organization (id),
    name text not null,
    kind text not null default 'counter' check (kind in ('counter', 'display')),
    creation_date timestamptz not null,
    token_hash text not null,
    former_hash text,
    former_until timestamptz,
    state text not null default 'new' check (state in ('new', 'ok', 'silent', 'behind')),
    seen_at timestamptz,
    below_since timestamptz,
    begun_since timestamptz,
    begun_people integer not null default 0,
    drift bigint not null default 0
  ) with (fillfactor = 50)`,
  `create index device_by_organization on device (organization_id, id)`,
  `create unique index device_by_token on device (token_hash)`,
  `create index device_by_former_token on device (former_hash) where former_hash is not null`,
  // newest: the number of the newest epoch of the device at the premises. drift_before: the drift before the publishing interval of drift_at,
  // when it changed last.
  `create table device_premises (
    organization_id bigint not null references organization (id),
    device_id bigint not null,
    place_id bigint not null,
    position smallint not null,
    newest bigint not null default 0,
    drift bigint not null default 0,
    drift_before bigint not null default 0,
    drift_at timestamptz,
    primary key (organization_id, device_id, place_id)
  ) with (fillfactor = 50)`,
  // The highest totals of the epochs of a device at premises, which are numbered from 1.
  `create table device_epoch (
    organization_id bigint not null references organization (id),
    device_id bigint not null,
    place_id bigint not null,
    epoch text not null,
    number bigint not null,
    in_total bigint not null,
    out_total bigint not null,
    primary key (organization_id, device_id, place_id, epoch)
  ) with (fillfactor = 50)`,
  `create index device_epoch_by_number on device_epoch (organization_id, device_id, place_id, number)`,
  // How many people devices count inside of premises, beside the open stays. missing: whom they counted out beyond it in the last minutes, as
  // JSON arrays of the device, how many, and when. corrected_until: a correction takes the place of what is counted until then.
  `create table counted_people (
    organization_id bigint not null references organization (id),
    place_id bigint not null,
    counted bigint not null default 0 check (counted >= 0),
    missing text not null default '[]' check (missing ~ '^\\[(\\["\\d{1,16}",\\d{1,16},-?\\d{1,16}\\](,(?!\\])|(?=\\]$)))*\\]$'),
    corrected_until timestamptz,
    primary key (organization_id, place_id)
  ) with (fillfactor = 50)`,

  // digest: the SHA-256 of the image, in hexadecimal digits.
  `create table floor_plan (
    organization_id bigint not null references organization (id),
    level integer not null,
    west float8 not null,
    south float8 not null,
    east float8 not null,
    north float8 not null,
    rotation float8 not null,
    type text not null,
    bytes integer not null,
    digest text not null,
    image bytea not null,
    primary key (organization_id, level)
  )`,

  // The ledger of erasures.
  `create table erasure (
    organization_id bigint not null references organization (id),
    day date not null,
    people bigint not null,
    accesses bigint not null,
    open_stays bigint not null,
    total_time bigint not null,
    primary key (organization_id, day)
  )`,

  // The servers that share rate limits. The table is empty after a crash, and they register again.
  `create unlogged table rate_limit_server (
    id uuid primary key,
    seen_at timestamptz not null
  )`,

  // The presence feed of each organization, and the totals of its events for each premises.
  `create table presence_feed (
    organization_id bigint primary key references organization (id) on delete cascade,
    version bigint not null default 0,
    at timestamptz not null
  ) with (fillfactor = 50)`,
  `create table presence_totals (
    organization_id bigint not null references presence_feed (organization_id) on delete cascade,
    place_id bigint not null,
    entered bigint not null default 0,
    departed bigint not null default 0,
    exits bigint not null default 0,
    counted_out bigint not null default 0,
    capacity bigint,
    warn_at double precision,
    warn_from bigint,
    level text not null default 'none' check (level in ('none', 'normal', 'warning', 'full', 'over')),
    published_at timestamptz,
    began_at timestamptz not null,
    primary key (organization_id, place_id)
  ) with (fillfactor = 50)`,
  `create table presence_event (
    organization_id bigint not null,
    version bigint not null,
    at timestamptz not null,
    type text not null,
    place_id bigint not null default 0,
    entered bigint,
    departed bigint,
    inside bigint,
    exits bigint,
    stayed bigint,
    level text,
    capacity bigint,
    changed text,
    muster_id bigint,
    state text,
    place_level smallint,
    parent_id bigint,
    device_id bigint,
    corrected boolean,
    primary key (organization_id, version)
  ) with (autovacuum_vacuum_insert_scale_factor = 0.02)`,
  // A queue: its rows live for milliseconds, and truncating it would lock it exclusively. counted is the change of the people counted, of
  // which counted_out were counted out. is_anonymous: the exits are of anonymous stays.
  `create table pending_change (
    organization_id bigint not null,
    place_id bigint not null,
    at timestamptz not null,
    stayed bigint not null default 0,
    entered integer not null default 0,
    departed integer not null default 0,
    exits integer not null default 0,
    counted integer not null default 0,
    counted_out integer not null default 0,
    is_correction boolean not null default false,
    is_anonymous boolean not null default false
  ) with (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000000, vacuum_truncate = off
  )`,
  `create index pending_change_by_premises on pending_change (organization_id, place_id)`,
  `create index pending_correction on pending_change (organization_id, place_id) where is_correction`,
  `create table feed_generation (generation text not null)`,
  `insert into feed_generation values (gen_random_uuid()::text)`,

  // The buckets of histories, and up to which version each feed is in them. step is in seconds. imported_at: when accesses were imported last.
  `create table presence_history (
    organization_id bigint primary key references presence_feed (organization_id) on delete cascade,
    version bigint not null default 0,
    minutes_from timestamptz,
    imported_at timestamptz
  )`,
  `create table presence_bucket (
    organization_id bigint not null,
    place_id bigint not null,
    step int not null check (step in (60, 900, 86400)),
    began_at timestamptz not null,
    changed_at timestamptz not null,
    entered bigint not null,
    departed bigint not null,
    exits bigint not null,
    stayed bigint not null,
    inside_before bigint not null,
    least bigint not null,
    most bigint not null,
    inside_time bigint not null,
    primary key (organization_id, place_id, step, began_at),
    foreign key (organization_id, place_id) references presence_totals (organization_id, place_id) on delete cascade
  )`,

  // last_stay: the last id of a stay that was issued before the muster began. gone_stays: stays with ids above it that were closed before the
  // muster began. premises: those whose counts an anonymous muster goes by, 0 for the organization itself. inside: how many people were inside
  // of them at its start. entered, exits: how many came in before it, and left by exits and the counts of devices. counted: how many people
  // devices counted inside of the organization at its end. swept_: the places that were searched, in arrays of one length.
  `create sequence muster_id maxvalue 9007199254740991`,
  `create table muster (
    organization_id bigint not null references organization (id) on delete cascade,
    id bigint not null default nextval('muster_id'),
    mode text not null check (mode in ('anonymous', 'authenticated')),
    kind text not null check (kind in ('drill', 'evacuation')),
    note text,
    started_at timestamptz not null,
    started_by text not null,
    ended_at timestamptz,
    last_stay bigint not null,
    gone_stays bigint[] not null default '{}',
    premises bigint[] not null,
    entered bigint not null,
    exits bigint not null,
    inside bigint not null,
    safe bigint not null default 0,
    departed bigint not null default 0,
    missing bigint not null default 0,
    counted bigint,
    swept_places bigint[] not null default '{}',
    swept_ats timestamptz[] not null default '{}',
    swept_by text[] not null default '{}',
    primary key (organization_id, id)
  )`,
  `create unique index muster_open on muster (organization_id) where ended_at is null`,
  `create index muster_by_id on muster (id)`,
  `create index muster_by_end on muster (ended_at)`,
  `create index muster_by_starter on muster (started_by)`,
  `create index muster_by_searcher on muster using gin (swept_by)`,
  // The people of a muster who came after its start: who was marked, and whose stay ended without an exit. ended_at: when the stays
  // ended that place_ids and since are of; null where they are of another moment.
  `create table muster_person (
    organization_id bigint not null,
    muster_id bigint not null,
    person text not null,
    place_ids bigint[] not null,
    since timestamptz,
    marked_at timestamptz,
    ended_at timestamptz,
    primary key (organization_id, muster_id, person),
    foreign key (organization_id, muster_id) references muster (organization_id, id) on delete cascade
  )`,
  `create index muster_person_by_person on muster_person (organization_id, person)`,
  // The stays that were open when a muster began, and the people of one that has ended, in arrays of one length: a row for each of
  // 100,000 people takes seconds to write.
  `create table muster_beginning (
    organization_id bigint not null,
    muster_id bigint not null,
    people text[] not null,
    place_ids bigint[] not null,
    stay_ids bigint[] not null,
    entrances timestamptz[] not null,
    primary key (organization_id, muster_id),
    foreign key (organization_id, muster_id) references muster (organization_id, id) on delete cascade
  )`,
  `create table muster_result (
    organization_id bigint not null,
    muster_id bigint not null,
    people text[] not null,
    place_ids text[] not null,
    since timestamptz[] not null,
    states text[] not null,
    ats timestamptz[] not null,
    primary key (organization_id, muster_id),
    foreign key (organization_id, muster_id) references muster (organization_id, id) on delete cascade
  )`,

  // Webhooks, the progress of their deliveries, and the server that makes them. No secret is stored: each is derived from a key.
  `create sequence webhook_id maxvalue 9007199254740991`,
  `create table webhook (
    id bigint primary key default nextval('webhook_id'),
    organization_id bigint not null references organization (id) on delete cascade,
    url text not null,
    types text[] not null,
    key_id smallint not null,
    secret_number integer not null default 0,
    earlier_key_id smallint,
    earlier_secret_number integer,
    earlier_until timestamptz,
    creation_date timestamptz not null,
    created_by text not null,
    is_test_due boolean not null default false,
    revision integer not null default 0,
    attempted bigint not null default 0,
    processed bigint not null,
    batch_end bigint,
    delivered bigint,
    presence_at timestamptz,
    attempts integer not null default 0,
    retry_at timestamptz,
    state text not null default 'active' check (state in ('active', 'failing', 'disabled')),
    failed_at timestamptz,
    failure text,
    holder text,
    leased_until timestamptz,
    check (num_nulls(earlier_key_id, earlier_secret_number, earlier_until) in (0, 3))
  ) with (fillfactor = 50)`,
  `create index webhook_by_organization on webhook (organization_id, id)`,
  `create index webhook_by_creator on webhook (created_by)`,
  `create index webhook_test_due on webhook (id) where is_test_due`,
  // A ring of the last attempts: each takes the slot of the one that was 50 before it.
  `create table webhook_attempt (
    webhook_id bigint not null references webhook (id) on delete cascade,
    slot smallint not null check (slot between 0 and 49),
    number bigint not null,
    version bigint,
    at timestamptz not null,
    status integer,
    ms bigint not null,
    failure text,
    primary key (webhook_id, slot)
  ) with (fillfactor = 50)`,

  // organization_id 0: none. It outlives organizations, and refers to nothing.
  `create sequence audit_entry_id maxvalue 9007199254740991`,
  `create table audit_entry (
    organization_id bigint not null,
    at timestamptz not null,
    id bigint not null default nextval('audit_entry_id'),
    place_id bigint,
    actor_kind text not null check (actor_kind in ('administrator', 'operator', 'command', 'policy')),
    actor_id text not null,
    action text not null,
    target_kind text,
    target_id text,
    changes jsonb,
    people bigint,
    request_id text,
    primary key (organization_id, at, id),
    check (num_nulls(target_kind, target_id) in (0, 2))
  ) partition by range (at)`,
  `create index audit_entry_by_time on audit_entry (at, id)`,
  `create table ${REST} partition of audit_entry default`
]

/** The text of the schema. */
export const SCHEMA_TEXT = [...STATEMENTS, JSON.stringify(IDENTIFYING)].join(";\n")

export const schema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of STATEMENTS) yield* sql.unsafe(statement)
  const now = yield* Clock.currentTimeMillis
  for (const later of [0, 1]) for (const statement of makeMonth(monthOf(now, later))) yield* sql.unsafe(statement)
  for (const [table, columns] of Object.entries(IDENTIFYING)) {
    const unsampled = columns.map((column) => `alter column ${column} set statistics 0`)
    yield* sql.unsafe(`alter table ${table} ${unsampled.join(", ")}`)
  }
})

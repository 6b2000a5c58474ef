/** The statements of webhooks. Those that lock several lock them in the order of their ids. */
import { KEPT_ATTEMPTS, OWNER_LOST } from "@sojourn/core"
import { forReader } from "../database/levels.ts"

export const LIST = forReader("select * from webhook where organization_id = $1::bigint", "r.creation_date, r.id")

export const COUNT = "select count(*) as count from webhook where organization_id = $1::bigint"

export const CREATE = `
insert into webhook (organization_id, url, types, key_id, creation_date, created_by, processed)
select $1::bigint, $2::text, $3::text[], $4::smallint, $5::timestamptz, $6::text, version
from presence_feed where organization_id = $1::bigint
returning *`

export const ORGANIZATION = "select organization_id from webhook where id = $1::bigint"
export const LOCK = "select * from webhook where id = $1::bigint for update"
export const REMOVE = "delete from webhook where id = $1::bigint"
export const TEST = "update webhook set is_test_due = true where id = $1::bigint"

/** The first and the last event that the feed of the organization $1 holds. */
export const RANGE = `
select f.version as newest, coalesce((
  select min(version) from presence_event where organization_id = f.organization_id
), f.version + 1) as oldest
from presence_feed f where organization_id = $1::bigint`

/** Writes the next revision, and ends the lease. */
export const CHANGE = `
update webhook set
  created_by = $2::text, key_id = $3::smallint, secret_number = $4::integer, earlier_key_id = $5::smallint,
  earlier_secret_number = $6::integer, earlier_until = $7::timestamptz, processed = $8::bigint, batch_end = $9::bigint,
  delivered = $10::bigint, attempts = $11::integer, retry_at = $12::timestamptz, state = $13::text, revision = revision + 1,
  holder = null, leased_until = null
where id = $1::bigint
returning *`

/** The rule `afterOwnerLost` for the webhooks of an administrator, $1, in organizations, $2; $3 is when. */
export const DISABLE = `
with owned as materialized (
  select id from webhook where created_by = $1::text and organization_id = any($2::bigint[]) order by id for no key update
)
update webhook w set
  retry_at = null, state = 'disabled', failed_at = $3::timestamptz, failure = '${OWNER_LOST}', revision = revision + 1,
  holder = null, leased_until = null
from owned where w.id = owned.id`

/** Locks the webhooks of a server, $1. */
const HELD = `
with held as materialized (select id from webhook where holder = $1::text order by id for no key update)`

/** The end of a lease, $2, asked for at $3. By the database's clock it lasts no longer either: a server's may be ahead by a day. */
const LEASE_END = "least($2::timestamptz, clock_timestamp() + ($2::timestamptz - $3::timestamptz))"

export const EXTEND_LEASES = `${HELD}
update webhook w set leased_until = ${LEASE_END} from held where w.id = held.id and w.state <> 'disabled'
returning w.id`

export const TAKE_LEASES = `
with free as (
  select id from webhook
  where state <> 'disabled' and (holder is null or (holder <> $1::text and leased_until <= $3::timestamptz))
  order by id
  limit $4::integer
  for update skip locked
)
update webhook w set holder = $1::text, leased_until = ${LEASE_END} from free where w.id = free.id
returning w.*`

export const TAKE_TESTS = `
with due as (select id from webhook where is_test_due order by id limit $1::integer for update skip locked)
update webhook w set is_test_due = false from due where w.id = due.id
returning w.*`

export const RELEASE = `${HELD}
update webhook w set holder = null, leased_until = null from held where w.id = held.id`

/** Keeps attempts in place of the oldest ones. `attempts` has their number as `attempted`, from 1, and is there once for each webhook. */
const keepAttempts = (attempts: string) => `
insert into webhook_attempt (webhook_id, slot, number, version, at, status, ms, failure)
select id, attempted % ${KEPT_ATTEMPTS}, attempted, version, at, status, ms, failure from ${attempts}
on conflict (webhook_id, slot) do update set
  number = excluded.number, version = excluded.version, at = excluded.at, status = excluded.status, ms = excluded.ms,
  failure = excluded.failure`

export const ATTEMPTS = forReader(
  "select * from webhook_attempt where webhook_id = $1::bigint",
  "r.number desc",
  "webhook"
)

/** $2 when, $3 the status, $4 how long, $5 the failure. */
export const RECORD_TEST = `
with counted as (
  update webhook set attempted = attempted + 1 where id = $1::bigint
  returning id, attempted, null::bigint as version, $2::timestamptz as at, $3::integer as status, $4::bigint as ms, $5::text as failure
)${keepAttempts("counted")}`

export const RECORD = `
with recorded as materialized (
  select * from unnest(
    $1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::bigint[], $8::timestamptz[],
    $9::text[], $10::timestamptz[], $11::text[], $12::bigint[], $13::timestamptz[], $14::bigint[], $15::bigint[], $16::bigint[],
    $17::text[]
  ) as r (
    id, holder, processed, batch_end, delivered, presence_at, attempts, retry_at, state, failed_at, failure, revision, attempt_at,
    attempt_version, attempt_status, attempt_ms, attempt_failure
  )
),
locked as materialized (
  select w.id
  from recorded r
  join webhook w on w.id = r.id and w.holder = r.holder and w.revision = r.revision
  order by w.id
  for no key update of w
),
written as (
  update webhook w set
    processed = r.processed, batch_end = r.batch_end, delivered = r.delivered, presence_at = r.presence_at, attempts = r.attempts,
    retry_at = r.retry_at, state = r.state, failed_at = r.failed_at, failure = r.failure,
    attempted = w.attempted + case when r.attempt_at is null then 0 else 1 end
  from recorded r
  join locked on locked.id = r.id
  where w.id = r.id
  returning w.id, w.attempted
),
attempts as (
  select id, attempted, attempt_version as version, attempt_at as at, attempt_status::integer as status, attempt_ms as ms,
    attempt_failure as failure
  from written join recorded using (id)
  where attempt_at is not null
),
kept as (${keepAttempts("attempts")}
)
select id from written`

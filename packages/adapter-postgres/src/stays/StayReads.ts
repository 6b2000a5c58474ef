/**
 * The readings of the port `StayLog` in PostgreSQL. Each statement reads the facts that decide who may read, and the data. For a reader who
 * may not read, the data is looked up by null, which costs nothing.
 *
 * Stays are looked up in `lateral` parts that cannot be joined in another order (`limit`, `offset`): a session keeps one plan,
 * and one that was made on an almost empty table could be a full scan.
 */
import {
  AccessesOfAnother,
  type ClosedStay,
  ClosedStayOrder,
  type OrgAuthServerId,
  ownAccesses,
  PlacePremises,
  PremisesNotFound,
  type StayId,
  type StayLog,
  type StoreError
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { batchLists, CONCURRENCY_WHEN_SLOW } from "../batching/batchLists.ts"
import { makeBatchQueue } from "../batching/BatchQueue.ts"
import { apartInTransactions, single } from "../database/BulkStatement.ts"
import type { Database } from "../database/Database.ts"
import { readAs, type ReaderColumns } from "../database/levels.ts"
import { OF_PREMISES } from "../database/premises.sql.ts"
import { placeIdOf, type PremisesDirectory, type PremisesKey, premisesOf } from "../database/PremisesDirectory.ts"
import { timestampOf } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import { type CounterReading, counters } from "./counters.ts"
import { listings } from "./listings.ts"
import { makeStayWindows, timesOf } from "./StayWindows.ts"

/** An administrator's level at some premises: $1 the organization, $2 the place (0: the organization as a whole), $3 who. */
const reader = `
  select p.level, case when p.level is not null then o.id end as organization_id
  from organization o
  left join permission p on p.organization_id = o.id and p.administrator_id = $3::text
  where ${OF_PREMISES}`

/** Closed stays of people: $4 who. Each is looked for: of an array the planner expects ten, and would rather read the whole place. */
export const CLOSED_BY_PEOPLE = `
with reader as materialized (${reader}
)
select reader.level as permission, s.id, s.person, s.entered_at, s.exited_at
from reader
left join lateral (
  select stays.* from (select distinct unnest($4::text[]) as person) wanted
  cross join lateral (
    select id, person, entered_at, exited_at from stay
    where organization_id = reader.organization_id and place_id = $2::bigint and person = wanted.person
    offset 0
  ) stays
) s on true`

/** A user's own closed stays: $1 the organization, $2 the place, $3 the user, $4 the person they ask for. */
export const CLOSED_BY_USER = `
with reader as materialized (
  select l.org_auth_server_id as linked, case l.org_auth_server_id when $4::text then $4::text end as person
  from organization o
  join account_link l on l.organization_id = o.id and l.user_id = $3::text
  where ${OF_PREMISES}
)
select reader.linked, s.id, s.person, s.entered_at, s.exited_at
from reader
left join lateral (
  select id, person, entered_at, exited_at from stay
  where organization_id = $1::bigint and place_id = $2::bigint and person = reader.person
  offset 0
) s on true`

export const TIME_PER_PERSON = `
with reader as materialized (${reader}
)
select reader.level as permission, s.person, s.milliseconds
from reader
left join lateral (
  select person, sum((extract(epoch from exited_at - entered_at) * 1000)::bigint)::bigint as milliseconds
  from stay
  where stay.organization_id = reader.organization_id and place_id = $2::bigint and person is not null
  group by person
) s on true`

interface ClosedRow {
  readonly id: StayId
  readonly person: OrgAuthServerId | null
  readonly entered_at: Date
  readonly exited_at: Date
}

/** A row whose columns are null where nothing was found, or where the reader may not read. */
type Perhaps<Row> = { readonly [Column in keyof Row]: Row[Column] | null }

const closedStays = (key: PremisesKey, rows: ReadonlyArray<Perhaps<ClosedRow>>): ReadonlyArray<ClosedStay> => {
  const { organizationId } = key
  const premises = premisesOf(key)
  const stays: Array<ClosedStay> = []
  for (const { id, person, entered_at: entered, exited_at: exited } of rows) {
    if (id === null || entered === null || exited === null) continue
    const entrance = timestampOf(entered)
    const exit = timestampOf(exited)
    stays.push({
      _tag: "ClosedStay",
      id,
      organizationId,
      premises,
      orgAuthServerId: person ?? undefined,
      entrance,
      exit
    })
  }
  return stays.sort(ClosedStayOrder)
}

/** How long the database works on a reading at most: a counter, each id of a list; in milliseconds. */
const COUNTER_WORK_MS = 0.03
const LOOKUP_WORK_MS = 0.005

/**
 * Makes the readings of the stay log. Each is one statement; counters and lists that wait at the same moment share theirs where they are
 * batched, as long as the scope is open. It starts after all of them: an answer is never older than its question.
 */
export const makeStayReads = Effect.fnUntraced(function* (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing,
  ready: Effect.Effect<void, StoreError>,
  areBatched: boolean
) {
  const statement = counters(db)
  const counting = areBatched
    ? yield* makeBatchQueue(statement, {
        name: "counters",
        ready,
        apart: apartInTransactions(statement, storing),
        // One statement costs as much for each item of a larger batch, and delays the first.
        largestBatch: 256,
        concurrency: 1,
        concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW,
        mostPending: 20_000,
        work: () => COUNTER_WORK_MS
      })
    : undefined
  const count = counting
    ? (reading: CounterReading) => counting.submit(reading, { fairnessKey: reading.organizationId })
    : single(statement, storing)
  const list = areBatched
    ? yield* batchLists(listings(db), storing, ready, {
        name: "lists",
        fairnessKey: ({ organizationId }) => organizationId,
        work: ({ ids }) => ids.length * LOOKUP_WORK_MS
      })
    : single(listings(db), storing)

  return {
    countOpen: (reader, premises) => {
      const known = directory.known(premises)
      if (known !== undefined) return count({ ...known, reader, premises })
      return Effect.flatMap(storing("find a place", directory.require(premises)), (key) =>
        count({ ...key, reader, premises })
      )
    },

    closedByIds: (organizationId, premises, ids) => list({ organizationId, placeId: placeIdOf(premises), ids }),

    closedByPeople: (administratorId, premises, people) =>
      storing.gen("list closed stays by person", function* () {
        const key = yield* directory.require(premises)
        const parameters = [key.organizationId, key.placeId, administratorId, people]
        const rows = db.run<ReaderColumns & Perhaps<ClosedRow>>(CLOSED_BY_PEOPLE, parameters)
        return closedStays(key, yield* readAs(rows, "viewer", () => new PremisesNotFound({ premises })))
      }),

    closedByUser: (userId, premises, people) =>
      storing.gen("list a user's closed stays", function* () {
        const located = yield* directory.locate(premises)
        if (Option.isNone(located)) return yield* new AccessesOfAnother()
        const key = located.value
        const rows = yield* db.run<{ readonly linked: OrgAuthServerId } & Perhaps<ClosedRow>>(CLOSED_BY_USER, [
          key.organizationId,
          key.placeId,
          userId,
          people.length === 1 ? people[0] : null
        ])
        yield* Effect.fromResult(ownAccesses(people, Option.fromUndefinedOr(rows[0]?.linked)))
        return closedStays(key, rows)
      }),

    timePerPerson: (administratorId, placeId) =>
      storing.gen("sum the time per person", function* () {
        const premises = PlacePremises(placeId)
        const key = yield* directory.require(premises)
        const rows = db.run<ReaderColumns & { readonly person: OrgAuthServerId | null; readonly milliseconds: bigint }>(
          TIME_PER_PERSON,
          [key.organizationId, key.placeId, administratorId]
        )
        return timesOf(yield* readAs(rows, "viewer", () => new PremisesNotFound({ premises })))
      }),

    ...makeStayWindows(db, directory, storing)
  } satisfies Omit<StayLog["Service"], "open" | "close">
})

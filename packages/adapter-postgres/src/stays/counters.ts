/** The batched statement that counts open stays for administrators and displays. */
import {
  administratorOf,
  nameOfReader,
  type PermissionLevel,
  type PermissionTooLow,
  type Premises,
  PremisesNotFound,
  type Reader,
  requireLevel
} from "@sojourn/core"
import { Effect, Exit, Option, Result } from "effect"
import { arrays } from "../database/columns.ts"
import { type BulkStatement, unrepeated } from "../database/BulkStatement.ts"
import type { Database } from "../database/Database.ts"
import { levelOfDisplay } from "../database/levels.ts"
import type { PremisesKey } from "../database/PremisesDirectory.ts"
import { hasPublishingInterval } from "../feed/interval.sql.ts"

/** A request for the number of open stays of premises. */
export interface CounterReading extends PremisesKey {
  readonly reader: Reader
  readonly premises: Premises
}

/**
 * The number of open stays, for each row of the arrays whose premises exist: $1 the organization, $2 the place, $3 the
 * administrator, or $4 the level of another reader. It is what the feed published, and without a publishing interval what is pending, which costs the same
 * for every crowd; the policy is looked up only where something is. Premises of several rows are counted once, in the row of a reader who may know the number.
 */
export const COUNT_OPEN = `
select n::int as n, level,
  case when level is not null and row_number() over (partition by organization_id, place_id order by level is null) = 1
    then (
      select coalesce((
        select entered - departed from presence_totals h
        where h.organization_id = reading.organization_id and h.place_id = reading.place_id
      ), 0) + case
        when pending is null then 0
        when ${hasPublishingInterval("reading.organization_id")} then 0
        else pending
      end
      from (
        select sum(entered - departed)::bigint as pending from pending_change d
        where d.organization_id = reading.organization_id and d.place_id = reading.place_id
      ) recorded
    )
  end as inside
from (
  select a.n, a.organization_id, a.place_id, coalesce(a.reader_level, p.level) as level
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) with ordinality
    as a (organization_id, place_id, administrator_id, reader_level, n)
  cross join lateral (select id from organization where id = a.organization_id limit 1) o
  left join lateral (
    select level from permission
    where organization_id = a.organization_id and administrator_id = a.administrator_id
    limit 1
  ) p on true
  where a.place_id = 0 or (
    select true from place where organization_id = a.organization_id and id = a.place_id limit 1
  )
) reading`

interface CounterRow {
  /** The number of the reading in the statement, from 1. */
  readonly n: number
  readonly level: PermissionLevel | null
  /** Null where another row of the same premises has the number, or no reader of them may know it. */
  readonly inside: bigint | null
}

/** A text that identifies premises. */
export const nameOf = ({ organizationId, placeId }: PremisesKey): string => `${organizationId} ${placeId}`

const outcomeOf = (
  { premises }: CounterReading,
  row: CounterRow | undefined,
  inside: number
): Exit.Exit<number, PremisesNotFound | PermissionTooLow> => {
  if (row === undefined) return Exit.fail(new PremisesNotFound({ premises }))
  const required = requireLevel(Option.fromNullishOr(row.level), "viewer")
  return Result.isFailure(required) ? Exit.fail(required.failure) : Exit.succeed(inside)
}

/**
 * The statement of counters. It counts each premises once for all readers, and starts after all of them asked: it sees
 * every movement that was answered before.
 */
export const counters = (db: Database): BulkStatement<CounterReading, number, PremisesNotFound | PermissionTooLow> =>
  unrepeated(
    {
      operation: "count open stays",
      run: (readings) =>
        Effect.map(
          db.run<CounterRow>(COUNT_OPEN, [
            arrays.bigints(readings, ({ organizationId }) => organizationId),
            arrays.bigints(readings, ({ placeId }) => placeId),
            arrays.texts(readings, ({ reader }) => administratorOf(reader)),
            arrays.texts(readings, ({ reader, organizationId }) => levelOfDisplay(reader, organizationId))
          ]),
          (rows) => {
            const found: Array<CounterRow | undefined> = []
            const counted = new Map<string, number>()
            for (const row of rows) {
              const number = row.n - 1
              found[number] = row
              if (row.inside !== null) counted.set(nameOf(readings[number]!), Number(row.inside))
            }
            return readings.map((reading, i) => outcomeOf(reading, found[i], counted.get(nameOf(reading)) ?? 0))
          }
        )
    },
    (reading) => `${nameOf(reading)} ${nameOfReader(reading.reader)}`
  )

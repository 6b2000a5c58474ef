/** The batched statement that lists closed stays by their ids. */
import { type ClosedStay, ClosedStayOrder, type StayId } from "@sojourn/core"
import { Effect, Exit } from "effect"
import { arrays } from "../database/columns.ts"
import type { BulkStatement } from "../database/BulkStatement.ts"
import type { Database } from "../database/Database.ts"
import { timestampOf } from "../database/rows.ts"
import { type PremisesKey, premisesOf } from "../database/PremisesDirectory.ts"

/** A request for anonymous closed stays by their ids. */
export interface Listing extends PremisesKey {
  readonly ids: ReadonlyArray<StayId>
}

/**
 * Anonymous closed stays, for lists that are each an element of the arrays $1, their organizations, and $2, their places: $3
 * the ids that they ask for, and $4 which of the lists does; $5 and $6 the least and the greatest of these ids, by which PostgreSQL
 * leaves out partitions before it prepares to read them.
 */
export const CLOSED_BY_IDS = `
select a.n::int as n, s.entered_at, s.exited_at
from unnest($3::bigint[], $4::smallint[]) with ordinality as a (id, list, n)
cross join lateral (
  select entered_at, exited_at from stay
  where organization_id = ($1::bigint[])[a.list] and place_id = ($2::bigint[])[a.list] and id = a.id and person is null
    and id between $5::bigint and $6::bigint
  limit 1
) s`

interface ListedRow {
  /** The position of the id in the ids of the whole batch, from 1. */
  readonly n: number
  readonly entered_at: Date
  readonly exited_at: Date
}

interface ListedId {
  readonly id: StayId
  /** The position of its listing in the batch, from 1. */
  readonly listing: number
}

/** The least and the greatest id. */
const boundsOf = (ids: ReadonlyArray<ListedId>): readonly [least: bigint, greatest: bigint] => {
  let [least, greatest] = [ids[0]?.id ?? 0n, ids[0]?.id ?? 0n] as [bigint, bigint]
  for (const { id } of ids) {
    if (id < least) least = id
    else if (id > greatest) greatest = id
  }
  return [least, greatest]
}

/** Lists closed stays by id for several requests. Most of the cost of a short list is the round trip, which they share. */
export const listings = (db: Database): BulkStatement<Listing, ReadonlyArray<ClosedStay>, never> => ({
  operation: "list closed stays by id",
  run: (requests) => {
    const ids = requests.flatMap((listing, i) =>
      [...new Set(listing.ids)].map((id): ListedId => ({ id, listing: i + 1 }))
    )
    return Effect.map(
      db.run<ListedRow>(CLOSED_BY_IDS, [
        arrays.bigints(requests, ({ organizationId }) => organizationId),
        arrays.bigints(requests, ({ placeId }) => placeId),
        arrays.bigints(ids, ({ id }) => id),
        arrays.smallints(ids, ({ listing }) => listing),
        ...boundsOf(ids)
      ]),
      (rows) => {
        const found = requests.map((): Array<ClosedStay> => [])
        const premises = requests.map((listing) => premisesOf(listing))
        for (const { n, entered_at: entered, exited_at: exited } of rows) {
          const { id, listing } = ids[n - 1]!
          found[listing - 1]!.push({
            _tag: "ClosedStay",
            id,
            organizationId: requests[listing - 1]!.organizationId,
            premises: premises[listing - 1]!,
            orgAuthServerId: undefined,
            entrance: timestampOf(entered),
            exit: timestampOf(exited)
          })
        }
        return found.map((stays) => Exit.succeed(stays.sort(ClosedStayOrder)))
      }
    )
  }
})

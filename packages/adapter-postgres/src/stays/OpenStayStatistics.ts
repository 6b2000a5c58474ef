import type { OpenStayStatistics, OrganizationId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"

interface Row {
  /** None in the row of the sums. */
  readonly id: OrganizationId | null
  readonly open: number
  readonly organizations: number
}

/** One scan of the key of the open stays, which begins with the organization. */
const COUNT_OPEN_STAYS = `
  with crowd as (select organization_id, count(*) as open from open_stay group by organization_id)
  select null::bigint as id, coalesce(sum(open), 0)::float8 as open, count(*)::int as organizations from crowd
  union all
  (select organization_id, open::float8, 0 from crowd order by open desc, organization_id limit $1::int)`

export const makeOpenStayStatistics = (db: Database, storing: Storing): OpenStayStatistics["Service"] => ({
  read: (most) =>
    storing(
      "count all open stays",
      Effect.map(db.run<Row>(COUNT_OPEN_STAYS, [most]), (rows) => {
        const all = rows.find(({ id }) => id === null)!
        const largest = rows.flatMap(({ id, open }) => (id === null ? [] : [{ organizationId: id, open }]))
        return {
          open: all.open,
          organizations: all.organizations,
          largest: largest.sort(
            (one, other) => other.open - one.open || (one.organizationId < other.organizationId ? -1 : 1)
          )
        }
      })
    )
})

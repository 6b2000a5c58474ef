import type { OpenStayStatistics, OrganizationId } from "@sojourn/core"
import { Effect } from "effect"
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

/** The people counted, and the devices by state. */
const COUNT_DEVICES = `
  select (select coalesce(sum(counted), 0)::float8 from counted_people) as counted,
    count(*) filter (where state = 'new')::int as "new", count(*) filter (where state = 'ok')::int as ok,
    count(*) filter (where state = 'silent')::int as silent, count(*) filter (where state = 'behind')::int as behind
  from device`

interface DevicesRow {
  readonly counted: number
  readonly new: number
  readonly ok: number
  readonly silent: number
  readonly behind: number
}

export const makeOpenStayStatistics = (db: Database, storing: Storing): OpenStayStatistics["Service"] => ({
  read: (most) =>
    storing(
      "count all open stays",
      Effect.map(
        Effect.all([db.run<Row>(COUNT_OPEN_STAYS, [most]), db.run<DevicesRow>(COUNT_DEVICES, [])]),
        ([rows, [row]]) => {
          const { counted, ...devices } = row!
          const all = rows.find(({ id }) => id === null)!
          const largest = rows.flatMap(({ id, open }) => (id === null ? [] : [{ organizationId: id, open }]))
          return {
            open: all.open,
            organizations: all.organizations,
            counted,
            devices,
            largest: largest.sort(
              (one, other) => other.open - one.open || (one.organizationId < other.organizationId ? -1 : 1)
            )
          }
        }
      )
    )
})

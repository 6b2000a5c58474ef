import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { query } from "./audit.database.ts"
import { COUNT_VIOLATIONS, FEED_VIOLATIONS } from "./feedViolations.ts"
import type { Ledger } from "./Ledger.ts"

interface PremisesRow {
  readonly organization_id: bigint
  readonly place_id: bigint
}

/**
 * Looks for events that are missing or wrong in the database, while no request is in flight. Returns the version of each feed, once
 * all pending changes are published.
 */
export const auditFeed = async (address: DatabaseAddress, ledger: Ledger): Promise<ReadonlyMap<number, number>> => {
  for (const statement of [COUNT_VIOLATIONS, FEED_VIOLATIONS]) {
    for (const { organization_id, place_id } of await query<PremisesRow>(address, statement)) {
      ledger.fault("wrong", `the feed of organization ${organization_id}, place ${place_id}, in the database`)
    }
  }
  const feeds = await query<{ readonly organization_id: bigint; readonly version: bigint }>(
    address,
    "select organization_id, version from presence_feed"
  )
  return new Map(feeds.map(({ organization_id, version }) => [Number(organization_id), Number(version)]))
}

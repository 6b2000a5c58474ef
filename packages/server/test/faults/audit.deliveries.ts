/** Audits webhooks: every event of the database was delivered, once and in order. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { setTimeout as pause } from "node:timers/promises"
import { query } from "./audit.database.ts"
import type { Ledger } from "./Ledger.ts"
import { faultsOfCoverage, type FeedEvent } from "../webhooks/Receiver.ts"

/** A webhook, and the events that were delivered to it, each once. */
export interface Hook {
  readonly organizationId: number
  readonly types: ReadonlyArray<string>
  /** The version of the feed when it was created. */
  readonly begin: number
  readonly delivered: ReadonlyArray<FeedEvent>
}

/** How long the next delivery may take, whatever died meanwhile and if the receiver refused it, in milliseconds. */
const ARRIVAL_TIMEOUT_MS = 60_000

/** The members of an event of each organization that deliveries are compared in. */
const EVENTS = `
select organization_id::int as "organizationId", version::int, type, nullif(place_id, 0)::int as "placeId",
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, entered::int, departed::int as "left",
  inside::int, level, capacity::int, changed, muster_id::int as "musterId", state
from presence_event order by organization_id, version`

type Event = FeedEvent & { readonly organizationId: number }

/** The events of a webhook's types since its creation. */
const eventsFor = ({ organizationId, types, begin }: Hook, events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  events.filter(
    (event) => event.organizationId === organizationId && event.version > begin && types.includes(event.type)
  )

/** Waits until the feeds have published all pending changes: no event is added afterwards. */
const untilPublished = async (address: DatabaseAddress): Promise<void> => {
  const end = performance.now() + ARRIVAL_TIMEOUT_MS
  while ((await query(address, "select 1 as one from pending_change limit 1")).length > 0 && performance.now() < end)
    await pause(200)
}

/** Compares the deliveries of webhooks with the events of the database, once all have arrived. Nothing may change meanwhile. */
export const auditDeliveries = async (
  address: DatabaseAddress,
  ledger: Ledger,
  hooks: ReadonlyArray<Hook>
): Promise<void> => {
  await untilPublished(address)
  const events = await query<Event>(address, EVENTS)
  const all = hooks.map((hook) => ({ hook, expected: eventsFor(hook, events) }))
  const count = () => hooks.reduce((sum, { delivered }) => sum + delivered.length, 0)
  // Deliveries are in the order of versions. Comparing all of them takes long, and the receiver is of this process.
  const areThere = () =>
    all.every(({ hook, expected }) => (hook.delivered.at(-1)?.version ?? 0) >= (expected.at(-1)?.version ?? 0))
  let last = { count: count(), at: performance.now() }
  while (!areThere() && performance.now() < last.at + ARRIVAL_TIMEOUT_MS) {
    await pause(200)
    if (count() > last.count) last = { count: count(), at: performance.now() }
  }
  for (const { hook, expected } of all) {
    for (const fault of faultsOfCoverage(hook.delivered, expected)) {
      ledger.fault("lost", `a delivery of organization ${hook.organizationId}: ${fault}`)
    }
  }
}

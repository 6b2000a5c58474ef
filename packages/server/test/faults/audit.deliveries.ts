/** Audits webhooks: every event of the database was delivered, once and in order. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { setTimeout as pause } from "node:timers/promises"
import { query } from "./audit.database.ts"
import type { Ledger } from "./Ledger.ts"
import { contentOf, type FeedEvent } from "../webhooks/Receiver.ts"

/** An event in a delivery or in the database. */
export interface DeliveredEvent extends FeedEvent {
  readonly entered?: number
  readonly left?: number
  readonly inside?: number
}

/** A webhook, and the events that were delivered to it, each once. */
export interface Hook {
  readonly organizationId: number
  readonly types: ReadonlyArray<string>
  /** The version of the feed when it was created. */
  readonly begin: number
  readonly delivered: ReadonlyArray<DeliveredEvent>
}

/** How long the next delivery may take, whatever died meanwhile and if the receiver refused it, in milliseconds. */
const ARRIVAL_TIMEOUT_MS = 60_000

/** The members of an event of each organization that deliveries are compared in. */
const EVENTS = `
select organization_id::int as "organizationId", version::int, type, nullif(place_id, 0)::int as "placeId",
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, entered::int, departed::int as "left",
  inside::int, level, capacity::int, changed, muster_id::int as "musterId", state
from presence_event order by organization_id, version`

type Event = DeliveredEvent & { readonly organizationId: number }

/** What a delivery and an event of the database must agree in. */
const textOf = (event: object) =>
  JSON.stringify(
    Object.entries(event)
      .filter(([name, value]) => value !== null && name !== "fromVersion")
      .sort(([one], [other]) => (one < other ? -1 : 1))
  )

/** The events of a webhook's types since its creation. */
const eventsFor = ({ organizationId, types, begin }: Hook, events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  events.filter(
    (event) => event.organizationId === organizationId && event.version > begin && types.includes(event.type)
  )

/** What is wrong with the deliveries to a webhook: each stands for the events of its content since the one before. */
const faultsOf = ({ organizationId, delivered }: Hook, expected: ReadonlyArray<Event>): ReadonlyArray<string> => {
  const byContent = Map.groupBy(expected, contentOf)
  const taken = new Map<string, number>()
  const faults: Array<string> = []
  for (const one of delivered) {
    const content = contentOf(one)
    const all = byContent.get(content) ?? []
    const from = taken.get(content) ?? 0
    let to = from
    while (to < all.length && all[to]!.version <= one.version) to++
    taken.set(content, to)
    const summed = all.slice(from, to)
    const isPresence = one.type === "presence.changed"
    const total = (name: "entered" | "left") => summed.reduce((sum, event) => sum + (event[name] ?? 0), 0)
    const sums = isPresence ? { entered: total("entered"), left: total("left") } : {}
    const isRight =
      summed[0]?.version === (one.fromVersion ?? one.version) && textOf({ ...summed.at(-1), ...sums }) === textOf(one)
    if (!isRight) faults.push(`organization ${organizationId}: version ${one.version} is not as it was published`)
  }
  const missing = [...byContent].flatMap(([content, all]) => all.slice(taken.get(content) ?? 0))
  if (missing.length === 0) return faults
  const first = Math.min(...missing.map(({ version }) => version))
  return [...faults, `organization ${organizationId}: ${missing.length} events from version ${first} on did not arrive`]
}

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
    for (const fault of faultsOf(hook, expected)) ledger.fault("lost", `a delivery of ${fault}`)
  }
}

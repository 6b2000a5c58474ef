/** Webhooks in fault tests, whose receiver verifies every delivery and refuses some. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import type { Random } from "@sojourn/testing"
import { type FeedEvent, type Receiver, verified } from "../webhooks/Receiver.ts"
import { bodyOf, type Client } from "./client.ts"
import { auditDeliveries, type Hook } from "./audit.deliveries.ts"
import { query } from "./audit.database.ts"
import { eventually } from "./eventually.ts"
import type { Ledger } from "./Ledger.ts"
import type { Town } from "./town.ts"

export interface Hooks {
  /** Compares what was delivered with the events in the database, once all of it has arrived. */
  readonly audit: (address: DatabaseAddress) => Promise<void>
  /** The number of distinct deliveries, and of those that came again. */
  readonly counts: () => { readonly delivered: number; readonly again: number }
  /** Waits until each webhook has delivered twice from now on. Something must happen in all organizations meanwhile. */
  readonly deliverTwice: () => Promise<void>
}

const DEFAULT_TYPES = ["capacity.changed", "place.changed", "organization.changed", "muster.changed"]
const ALL_TYPES = ["presence.changed", ...DEFAULT_TYPES]

interface Setting {
  readonly client: Client
  readonly baseUrl: () => string | undefined
  readonly ledger: Ledger
  readonly town: Town
  readonly receiver: Receiver
  readonly random: Random
  /** The probability that the receiver takes an event and answers 503, until the audit. */
  readonly refused: number
}

/**
 * Creates two webhooks for each organization, of all types of events and of the default ones, while nothing else happens. Each delivery
 * must be verified by the library of Standard Webhooks, and follow the one before it or repeat it.
 */
export const makeHooks = async (setting: Setting, address: DatabaseAddress): Promise<Hooks> => {
  const { client, baseUrl, ledger, town, receiver, random, refused } = setting
  let delivered = 0
  let again = 0
  let isAudited = false
  const arrivals = new Map<string, number>()

  const listen = (path: string, secret: string, types: ReadonlyArray<string>) => {
    const events: Array<FeedEvent> = []
    const texts = new Map<string, string>()
    let last: string | undefined
    arrivals.set(path, 0)
    receiver.answer(path, (response, _, received) => {
      arrivals.set(path, arrivals.get(path)! + 1)
      const id = received.headers["webhook-id"]!
      let event: FeedEvent
      try {
        event = verified(secret, received).data
      } catch (error) {
        ledger.fault("wrong", `${path}: a delivery is not verified: ${String(error)}`)
        return void response.writeHead(400).end()
      }
      const text = texts.get(id)
      if (text === undefined) {
        delivered++
        if (event.version <= (events.at(-1)?.version ?? 0)) {
          ledger.fault("doubled", `${path}: version ${event.version} came after ${events.at(-1)?.version}`)
        }
        if (!types.includes(event.type)) ledger.fault("wrong", `${path}: an event of type ${event.type}`)
        events.push(event)
        texts.set(id, received.text)
        last = id
      } else {
        again++
        if (text !== received.text)
          ledger.fault("wrong", `${path}: version ${event.version} came again with another body`)
        if (id !== last) ledger.fault("doubled", `${path}: version ${event.version} came again after others`)
      }
      const isRefused = text === undefined && !isAudited && random.chance(refused)
      response.writeHead(isRefused ? 503 : 204).end()
    })
    return events
  }

  const hooks: Array<Hook> = []
  const organizations = new Set(town.premises.map(({ organizationId }) => organizationId))
  for (const organizationId of organizations) {
    for (const types of [ALL_TYPES, DEFAULT_TYPES]) {
      const path = `/${organizationId}/${types.length}`
      const [feed] = await query<{ readonly version: bigint }>(
        address,
        `select version from presence_feed where organization_id = ${organizationId}`
      )
      const answer = await client.ask(baseUrl(), {
        method: "POST",
        path: `/webhook/organization/${organizationId}`,
        token: town.owner,
        json: { url: `${receiver.origin}${path}`, ...(types === ALL_TYPES && { types }) }
      })
      if (answer.status !== 201) throw new Error(`a webhook was answered with ${answer.status}: ${answer.text}`)
      const { secret } = bodyOf<{ readonly secret: string }>(answer)
      hooks.push({ organizationId, types, begin: Number(feed!.version), delivered: listen(path, secret, types) })
    }
  }
  return {
    audit: (now) => {
      // Each refusal holds up a webhook for 5 seconds: a long queue of deliveries would take an hour.
      isAudited = true
      return auditDeliveries(now, ledger, hooks)
    },
    counts: () => ({ delivered, again }),
    deliverTwice: async () => {
      const before = new Map(arrivals)
      await eventually("each webhook delivers twice", () =>
        [...arrivals].every(([path, count]) => count >= before.get(path)! + 2)
      )
    }
  }
}

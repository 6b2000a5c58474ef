/** A reader of the presence stream in fault tests, which checks that no event is missing or comes twice. */
import * as http from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { makeMessageParser, type Message } from "../messages.ts"
import { type Ledger, nameOf } from "./Ledger.ts"
import type { Premises } from "./town.ts"

/** How long the events of acknowledged movements may take to arrive, whatever died meanwhile, in milliseconds. */
const ARRIVAL_TIMEOUT_MS = 30_000

/** An administrator who follows organizations by `GET /presence/stream`, and resumes on any server after each fault. */
export interface Follower {
  /** Ends when the streams agree with the ledger on the people inside of all premises; a fault if they do not. */
  readonly settle: () => Promise<void>
  /** Ends when the streams reached these versions of organizations; a fault if they do not. */
  readonly reach: (versions: ReadonlyMap<number, number>) => Promise<void>
  readonly stop: () => Promise<void>
  /** Events that were received. */
  readonly events: () => number
  /** How often the stream was resumed. */
  readonly resumed: () => number
}

interface Totals {
  readonly placeId?: number
  readonly entered: number
  readonly left: number
}

interface Snapshot {
  readonly reason: string
  readonly organizations: ReadonlyArray<
    Totals & { readonly organizationId: number; readonly version: number; readonly places: ReadonlyArray<Totals> }
  >
}

interface FeedEvent extends Totals {
  readonly organizationId: number
  readonly version: number
  readonly inside: number
}

/** What is known of one organization. */
interface Known {
  version: number
  readonly totals: Map<string, { entered: number; left: number }>
}

/**
 * Follows the organizations of `premises`. With `roaming`, in milliseconds, it leaves each stream after that time and resumes, on
 * whichever server `baseUrl` names then. Each event must have the version after the one before, also over interruptions, and its `inside`
 * must be the sum of all events.
 */
export const follow = (
  ledger: Ledger,
  baseUrl: () => string | undefined,
  token: string,
  premises: ReadonlyArray<Premises>,
  roaming?: () => number
): Follower => {
  const organizations = [...new Set(premises.map(({ organizationId }) => organizationId))]
  const known = new Map<number, Known>()
  const keyOf = (organizationId: number, placeId?: number) =>
    placeId === undefined ? `organization ${organizationId}` : `place ${placeId}`
  let lastId: string | undefined
  let events = 0
  let resumed = 0
  const stopped = new AbortController()
  let request: http.ClientRequest | undefined

  const takeSnapshot = ({ organizations: all, reason }: Snapshot) => {
    for (const { organizationId, version, places, entered, left } of all) {
      const before = known.get(organizationId)
      if (before !== undefined) {
        const isBehind = version < before.version
        if (isBehind) ledger.fault("lost", `a snapshot (${reason}) of version ${version} after ${before.version}`)
      }
      const totals = new Map(
        [{ entered, left }, ...places].map((one: Totals) => [
          keyOf(organizationId, one.placeId),
          { entered: one.entered, left: one.left }
        ])
      )
      known.set(organizationId, { version, totals })
    }
  }

  const takeEvent = (type: string, event: FeedEvent & { readonly placeId?: number }) => {
    const { organizationId, placeId, version, entered, left, inside } = event
    const own = known.get(organizationId)
    if (own === undefined) return ledger.fault("wrong", `an event of organization ${organizationId} before a snapshot`)
    events++
    if (version > own.version + 1) ledger.fault("lost", `version ${version} came after ${own.version}`)
    if (version <= own.version) ledger.fault("doubled", `version ${version} came after ${own.version}`)
    own.version = version
    if (type !== "presence.changed") return
    const key = keyOf(organizationId, placeId)
    const totals = own.totals.get(key) ?? { entered: 0, left: 0 }
    totals.entered += entered
    totals.left += left
    own.totals.set(key, totals)
    if (totals.entered - totals.left !== inside) {
      ledger.fault("wrong", `version ${version} says ${inside} are inside, its sums ${totals.entered - totals.left}`)
    }
  }

  const take = ({ event, id, data }: Message) => {
    if (event === "snapshot") takeSnapshot(data)
    else if (event.includes(".")) takeEvent(event, data)
    else if (event === "reset") ledger.fault("lost", `the id to resume from is not known: ${data.reason}`)
    // An id counts once its whole message was taken.
    lastId = id ?? lastId
  }

  /** Reads a stream until it ends, for whatever reason. */
  const readOnce = (url: string) =>
    new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${token}`, ...(lastId !== undefined && { "last-event-id": lastId }) }
      request = http.get(`${url}/presence/stream?organizations=${organizations.join(",")}`, { agent: false, headers })
      const own = request
      const leaving = roaming === undefined ? undefined : setTimeout(() => own.destroy(), roaming())
      request.on("error", () => resolve())
      request.on("close", () => clearTimeout(leaving))
      request.on("response", (response) => {
        const parser = makeMessageParser()
        if (response.statusCode === 200 && lastId !== undefined) resumed++
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => {
          // What arrived with the end of a stream that was left is not taken: it comes again.
          if (response.statusCode !== 200 || own.destroyed) return
          for (const message of parser(chunk)) take(message)
        })
        response.on("error", () => {})
        response.on("close", () => resolve())
      })
    })

  const following = (async () => {
    while (!stopped.signal.aborted) {
      const url = baseUrl()
      if (url !== undefined) await readOnce(url)
      if (!stopped.signal.aborted) await pause(20)
    }
  })()

  /** The premises whose number of people differs, in words. */
  const differing = () => {
    const inside = new Map(premises.map((one) => [nameOf(one), ledger.counted(one)]))
    const add = (one: Premises) => void inside.set(nameOf(one), (inside.get(nameOf(one)) ?? 0) + 1)
    for (const stay of ledger.open.values()) add(stay.premises)
    for (const one of ledger.attributed.values()) add(one)
    return premises.flatMap((one) => {
      const totals = known.get(one.organizationId)?.totals.get(nameOf(one))
      const published = totals === undefined ? 0 : totals.entered - totals.left
      return published === inside.get(nameOf(one))
        ? []
        : [`${nameOf(one)}: ${published} published, ${inside.get(nameOf(one))} inside`]
    })
  }

  /** Waits until nothing is missing; a fault if it does not arrive. */
  const arrival = async (missing: () => ReadonlyArray<string>) => {
    const until = performance.now() + ARRIVAL_TIMEOUT_MS
    while (missing().length > 0) {
      if (performance.now() > until) return ledger.fault("lost", `events of ${missing().join(", ")}`)
      await pause(20)
    }
  }

  return {
    settle: () => arrival(differing),
    reach: (versions) =>
      arrival(() =>
        organizations.flatMap((id) => {
          const [at = 0, version = 0] = [known.get(id)?.version, versions.get(id)]
          return at < version ? [`organization ${id}: ${at} reached of ${version}`] : []
        })
      ),
    stop: async () => {
      stopped.abort()
      request?.destroy()
      await following
    },
    events: () => events,
    resumed: () => resumed
  }
}

/** The tracker: composes the journal, the areas and the delivery into the API of the package. */
import type { GeofenceFix, GeofencePremises } from "@sojourn/core/geofence"
import { makeArchive, type ArchivedTokens } from "./archive.ts"
import { makeAreas, readAreas } from "./areas.ts"
import { makeConnection, requireSuccess } from "./connection.ts"
import { makeDelivery } from "./delivery.ts"
import { type Change, makeJournal, recordAll } from "./Journal.ts"
import { inBackground, type Platform, platform as ownPlatform } from "./platform.ts"
import { makeServerClock } from "./serverClock.ts"
import { storedRecord } from "./StoredRecord.ts"
import { type Tracker, type TrackerAccess, type TrackerConfig, TrackerError, type TrackerStatus } from "./types.ts"
import { countWaiting, keyOf, premisesOf, record, type TrackerState } from "./visits.ts"

/** How often the geofence is told the time. */
const TICK_EVERY = 10_000

/** How often a tab looks what others stored. */
const TICKS_TO_SYNC = 6

/** How many positions are kept while no areas are known. */
const EARLY = 20

/** Positions that are older are in seconds, or of a clock that began with the device: then began the clock of GPS. */
const FIRST_FIX = Date.UTC(1980, 0, 6)

/** As many tokens as a path may hold. */
const AT_ONCE = 100

const isId = (id: unknown) => Number.isSafeInteger(id) && (id as number) > 0

const requirePremises = (premises: GeofencePremises): GeofencePremises => {
  const { organizationId, placeId } = premises
  if ((organizationId === undefined) === (placeId === undefined) || !isId(organizationId ?? placeId)) {
    throw new TypeError("Premises are { organizationId } or { placeId }, with the id of one.")
  }
  return premisesOf(premises)
}

const chunksOf = <A>(values: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size))

/** Makes a tracker on a platform, which simulations give. */
export const createTrackerOn = async (platform: Platform, config: TrackerConfig): Promise<Tracker> => {
  const { url, storage, options } = config
  const now = config.now ?? Date.now
  const name = `sojourn-tracker ${url.replace(/\/+$/, "")}`
  const areasKey = `${name} areas`
  const listeners = new Set<(status: TrackerStatus) => void>()
  const known = { current: await readAreas(storage, areasKey) }
  let lastError: string | undefined
  let told = ""
  let isTelling = false
  let early: ReadonlyArray<GeofenceFix> = []

  const tell = () => {
    isTelling = false
    const status = tracker.status()
    const text = JSON.stringify(status)
    if (text === told) return
    told = text
    for (const listener of listeners) {
      try {
        listener(status)
      } catch {
        // A listener's error is its own.
      }
    }
  }

  const changed = () => {
    if (isTelling || listeners.size === 0) return
    isTelling = true
    void Promise.resolve().then(tell)
  }

  const report = (error: unknown) => {
    lastError = error === undefined ? undefined : error instanceof Error ? error.message : String(error)
    changed()
  }

  const clock = makeServerClock(now)
  const connection = makeConnection(config, { platform, clock, now })
  const journal = await makeJournal({
    name,
    stored: storedRecord<TrackerState>(storage, name),
    areas: (follows) => follows.flatMap((id) => known.current[id]?.areas ?? []),
    options,
    now,
    platform,
    changed
  })
  const archive = makeArchive(storedRecord<ArchivedTokens>(storage, `${name} ended`), journal, now)
  const areas = makeAreas({
    known,
    key: areasKey,
    storage,
    journal,
    connection,
    platform,
    now,
    report,
    taken: () => pushEarly()
  })
  const delivery = makeDelivery({
    journal,
    connection,
    clock,
    platform,
    now,
    report,
    refused: () => areas.renewSoon(),
    settled: ({ visit }, json) => {
      const person: unknown = json?.orgAuthServerId
      const of = visit.premises.organizationId ?? areas.organizationOf(visit.premises.placeId)
      if (typeof person === "string" && of !== undefined) submit(linked(of, person))
      void archive.tidy({ isStart: false }).catch(report)
    }
  })

  /** Keeps who the user is in an organization. */
  const linked =
    (organizationId: number, orgAuthServerId: string): Change =>
    ({ state }) => {
      if (state.links[organizationId] === orgAuthServerId) return false
      state.links = { ...state.links, [organizationId]: orgAuthServerId }
      return true
    }

  /** Submits what needs no answer. What cannot be stored now is stored, and sent, by a later attempt. */
  const submit = (change: Change) => afterwards(journal.submit(change))
  const afterwards = (stored: Promise<void>) => void stored.catch(report).then(delivery.schedule)

  const pushEarly = () => {
    if (early.length === 0 || journal.memory().geofence === undefined) return
    const fixes = early
    early = []
    for (const fix of fixes) tracker.push(fix)
  }

  let timer: unknown
  let ticks = 0
  let tickedAt = now()
  const tick = () => {
    timer = undefined
    const at = now()
    // The system has suspended the process, or the clock was set.
    if (Math.abs(at - tickedAt - TICK_EVERY) > 60_000) clock.doubt()
    tickedAt = at
    if (++ticks % TICKS_TO_SYNC === 0) {
      void journal.sync().catch(report).then(delivery.schedule)
      // Another tab may follow more.
      if (journal.memory().state.follows.some((id) => known.current[id] === undefined)) areas.renewSoon()
    }
    submit(recordAll((geofence) => geofence.tick(at)))
    changed()
    start()
  }
  /** Ticks while there is anything to track. */
  const start = () => {
    const { follows, visits } = journal.memory().state
    if (timer === undefined && follows.length + visits.length > 0) timer = inBackground(platform, tick, TICK_EVERY)
  }

  const tracker: Tracker = {
    follow: async (organizationIds) => {
      if (!Array.isArray(organizationIds) || !organizationIds.every(isId))
        throw new TypeError("Organizations are named by their ids.")
      const follows = [...new Set(organizationIds)]
      await journal.submitOrWithdraw(({ state }) => {
        const isChange = JSON.stringify(state.follows) !== JSON.stringify(follows)
        state.follows = follows
        return isChange
      })
      start()
      await areas.follow()
      delivery.schedule()
    },
    push: (position) => {
      try {
        if (position?.timestamp < FIRST_FIX && now() > FIRST_FIX) {
          throw new TrackerError("The timestamp of a position is in milliseconds since 1970.")
        }
        if (journal.memory().geofence === undefined) early = [...early, position].slice(-EARLY)
        else afterwards(journal.push(position))
        changed()
      } catch (error) {
        report(error)
      }
    },
    enter: async (premises) => {
      const decided = { movement: "entrance", ...requirePremises(premises), timestamp: now() } as const
      await journal.submitOrWithdraw(({ state }, nextSequence) => record(state, decided, nextSequence))
      start()
      delivery.schedule()
    },
    leave: async (premises) => {
      const decided = { movement: "exit", ...requirePremises(premises), timestamp: now() } as const
      await journal.submitOrWithdraw(({ state }, nextSequence) => record(state, decided, nextSequence))
      start()
      delivery.schedule()
    },
    flush: () => delivery.flush(),
    status: () => {
      const { state, geofence } = journal.memory()
      return {
        inside: state.visits.flatMap(({ premises, since, exit }) =>
          exit === undefined ? [{ ...premises, since }] : []
        ),
        waiting: countWaiting(state),
        refused: state.refused,
        ...(lastError !== undefined && { lastError }),
        stale: geofence?.stale() ?? false
      }
    },
    subscribe: (listener) => {
      const own = (status: TrackerStatus) => listener(status)
      if (listeners.size === 0) told = JSON.stringify(tracker.status())
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    accesses: async (given) => {
      const premises = requirePremises(given)
      await journal.sync().catch(report)
      const { organizationId, placeId } = premises
      const path = placeId === undefined ? `organization/${organizationId}` : `place/${placeId}`
      const link = journal.memory().state.links[String(organizationId ?? areas.organizationOf(placeId!))]
      const lists = [
        ...chunksOf(await archive.tokens(premises), AT_ONCE).map((tokens) => `anonymous/${tokens.join()}`),
        ...(link === undefined ? [] : [`authenticated/${encodeURIComponent(link)}`])
      ]
      const found = new Map<string | number, TrackerAccess>()
      for (const list of lists) {
        const answer = requireSuccess(await connection.call({ method: "GET", path: `/access/${path}/${list}` }))
        for (const access of (answer.json ?? []) as ReadonlyArray<TrackerAccess>) found.set(access.id, access)
      }
      const entered = ({ entranceTimestamp }: TrackerAccess) => Date.parse(entranceTimestamp)
      return [...found.values()].sort((one, other) => entered(one) - entered(other))
    },
    link: async (organizationId, { username, password }) => {
      if (!isId(organizationId)) throw new TypeError("An organization is named by its id.")
      const body = { organizationId, username, password }
      const answer = requireSuccess(await connection.call({ method: "POST", path: "/authenticationserver/link", body }))
      const { orgAuthServerId } = answer.json
      const at = now()
      await journal.submit((memory, nextSequence) => {
        const { state, geofence } = memory
        const isChange = linked(organizationId, orgAuthServerId)(memory, nextSequence)
        // Entrances that were refused for want of the link begin now.
        const refused = new Set(state.refused.flatMap((one) => (one.status === 403 ? [keyOf(one)] : [])))
        const entered = (geofence?.inside() ?? []).filter((stay) => {
          const of = stay.organizationId ?? areas.organizationOf(stay.placeId)
          const decided = { movement: "entrance", ...premisesOf(stay), timestamp: at } as const
          return of === organizationId && refused.has(keyOf(stay)) && record(state, decided, nextSequence)
        })
        return isChange || entered.length > 0
      })
      delivery.schedule()
      return { organizationId, orgAuthServerId }
    },
    forget: async () => {
      delivery.stop()
      if (timer !== undefined) platform.clearTimeout(timer)
      timer = undefined
      early = []
      lastError = undefined
      connection.forget()
      clock.doubt()
      areas.clear()
      await journal.remove()
      await archive.remove()
      await storage.removeItem(areasKey)
    }
  }

  void archive.tidy({ isStart: true }).catch(report)
  if (journal.memory().state.follows.length > 0) areas.start()
  delivery.schedule()
  start()
  return tracker
}

/**
 * Creates a tracker: positions in, entrances and exits at the server, each once, whatever happens to the network, the storage and
 * the process. Positions never leave the device. Rejects when the storage cannot be read.
 */
export const createTracker = (config: TrackerConfig): Promise<Tracker> => createTrackerOn(ownPlatform, config)

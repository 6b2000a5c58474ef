/** The tracker: composes the journal, the areas and the delivery into the API of the package. */
import type { GeofencePremises } from "@sojourn/core/Geofence"
import { makeAccesses } from "./accesses.ts"
import { makeArchive, type ArchivedTokens } from "./archive.ts"
import { makeAreas, readAreas } from "./areas.ts"
import { makeConnection } from "./connection.ts"
import { type DeliveryOptions, makeDelivery } from "./delivery.ts"
import { type Change, recordAll } from "./changes.ts"
import { makeJournal } from "./Journal.ts"
import { linked, makeLink } from "./links.ts"
import { type Platform, platform as ownPlatform } from "./platform.ts"
import { makePositions } from "./positions.ts"
import { isId, requirePremises } from "./premises.ts"
import { makeServerClock } from "./serverClock.ts"
import { makeStatus } from "./status.ts"
import { storedRecord } from "./StoredRecord.ts"
import { makeTicker } from "./ticker.ts"
import type { Tracker, TrackerConfig } from "./types.ts"
import { type Decided, record, type TrackerState } from "./visits.ts"

/** Makes the parts of a tracker, which call each other. */
const makeParts = async (platform: Platform, config: TrackerConfig, now: () => number) => {
  const { url, storage, options } = config
  const name = `sojourn-tracker ${url.replace(/\/+$/, "")}`
  const areasKey = `${name} areas`
  const known = { current: await readAreas(storage, areasKey) }

  const status = makeStatus(() => journal.memory())
  const { report, changed } = status
  const clock = makeServerClock(now)
  const connection = makeConnection(config, { platform, clock, now })
  const areasOf = (follows: ReadonlyArray<number>) => follows.flatMap((id) => known.current[id]?.areas ?? [])
  const stored = storedRecord<TrackerState>(storage, name)
  const journal = await makeJournal({ name, stored, areas: areasOf, options, now, platform, changed })
  const archive = makeArchive(storedRecord<ArchivedTokens>(storage, `${name} ended`), journal, now)

  /** What cannot be stored now is stored, and sent, by a later attempt. */
  const afterwards = (storing: Promise<void>) => void storing.catch(report).then(delivery.schedule)
  const submit = (change: Change) => afterwards(journal.submit(change))

  const positions = makePositions({ journal, now, report, changed, afterwards })
  const taken = positions.pushEarly
  const areas = makeAreas({ known, key: areasKey, storage, journal, connection, platform, now, report, taken })
  const refused = () => areas.renewSoon()
  const settled: DeliveryOptions["settled"] = ({ visit: { premises } }, json) => {
    const person: unknown = json?.orgAuthServerId
    const organizationId = premises.organizationId ?? areas.organizationOf(premises.placeId)
    if (typeof person === "string" && organizationId !== undefined) submit(linked(organizationId, person))
    void archive.tidy({ isStart: false }).catch(report)
  }
  const delivery = makeDelivery({ journal, connection, clock, platform, now, report, refused, settled })
  const ticker = makeTicker({
    platform,
    now,
    isNeeded: () => {
      const { follows, visits } = journal.memory().state
      return follows.length + visits.length > 0
    },
    jumped: clock.doubt,
    sync: () => {
      void journal.sync().catch(report).then(delivery.schedule)
      // Another tab may follow more.
      if (journal.memory().state.follows.some((id) => known.current[id] === undefined)) areas.renewSoon()
    },
    tick: (at) => {
      submit(recordAll((geofence) => geofence.tick(at)))
      changed()
    }
  })
  return { areasKey, status, clock, connection, journal, archive, positions, areas, delivery, ticker }
}

/** Makes a tracker on a platform, which simulations provide. */
export const createTrackerOn = async (platform: Platform, config: TrackerConfig): Promise<Tracker> => {
  const now = config.now ?? Date.now
  const parts = await makeParts(platform, config, now)
  const { status, journal, archive, positions, areas, delivery, ticker } = parts
  const { report } = status
  const link = makeLink({ ...parts, now })

  /** Records a movement that the caller decided. */
  const decide = async (movement: Decided["movement"], premises: GeofencePremises) => {
    const decided = { movement, ...requirePremises(premises), timestamp: now() }
    await journal.submitOrWithdraw(({ state }, nextSequence) => record(state, decided, nextSequence))
    ticker.start()
    delivery.schedule()
  }

  void archive.tidy({ isStart: true }).catch(report)
  if (journal.memory().state.follows.length > 0) areas.start()
  delivery.schedule()
  ticker.start()
  return {
    follow: async (organizationIds) => {
      if (!Array.isArray(organizationIds) || !organizationIds.every(isId))
        throw new TypeError("Organizations are named by their ids.")
      const follows = [...new Set(organizationIds)]
      await journal.submitOrWithdraw(({ state }) => {
        const isChange = JSON.stringify(state.follows) !== JSON.stringify(follows)
        state.follows = follows
        return isChange
      })
      ticker.start()
      await areas.follow()
      delivery.schedule()
    },
    push: positions.push,
    enter: (premises) => decide("entrance", premises),
    leave: (premises) => decide("exit", premises),
    flush: delivery.flush,
    status: status.current,
    subscribe: status.subscribe,
    accesses: makeAccesses({ ...parts, report }),
    link: async (organizationId, credentials) => {
      const linked = await link(organizationId, credentials)
      delivery.schedule()
      return linked
    },
    forget: async () => {
      delivery.stop()
      ticker.stop()
      positions.clear()
      report(undefined)
      parts.connection.forget()
      parts.clock.doubt()
      areas.clear()
      await journal.remove()
      await archive.remove()
      await config.storage.removeItem(parts.areasKey)
    }
  }
}

/**
 * Creates a tracker: positions in, entrances and exits at the server, each once, whatever happens to the network, the storage and
 * the process. Positions never leave the device. Rejects when the storage cannot be read.
 */
export const createTracker = (config: TrackerConfig): Promise<Tracker> => createTrackerOn(ownPlatform, config)

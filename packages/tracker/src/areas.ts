/** The areas of the followed organizations: kept in storage for starts without a network, and renewed each hour. */
import { type GeofenceArea, type GeofencePlace, makeGeofence, placeAreas } from "@sojourn/core/Geofence"
import { ENDPOINTS } from "./endpoints.ts"
import { type Answer, type Connection, reasonOf, requireSuccess } from "./connection.ts"
import { recordAll } from "./changes.ts"
import type { Journal } from "./Journal.ts"
import { makeTimer, type Platform } from "./platform.ts"
import { isPromise } from "./StoredRecord.ts"
import { TrackerError, type TrackerStorage } from "./types.ts"

/** What is known of the areas of an organization. */
interface KnownOrganization {
  readonly areas: ReadonlyArray<GeofenceArea>
  /** The last renewal, by the device's clock. */
  readonly at: number
  /** How often in a row something other than the server said that the organization is unknown. */
  readonly missing?: number
}

type KnownAreas = Readonly<Record<string, KnownOrganization>>

/** The time between renewals, and after one that failed, in milliseconds. */
const RENEWAL_INTERVAL_MS = 60 * 60_000
const RETRY_INTERVAL_MS = 30_000

/** How often in a row an organization is missing until its areas are removed, unless the server itself says so. */
const MAX_MISSING = 2

/** The fault of an area's text; `undefined` where it has none. */
const faultOf = (area: GeofenceArea): string | undefined => {
  try {
    makeGeofence([area])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The areas that are kept, or none where the text is damaged. */
const parse = (text: string | null | undefined): KnownAreas => {
  try {
    return (JSON.parse(text ?? "{}") as KnownAreas | null) ?? {}
  } catch {
    return {}
  }
}

export const readAreas = async (storage: TrackerStorage, key: string): Promise<KnownAreas> => {
  const reading = storage.getItem(key)
  return parse(isPromise(reading) ? await reading : reading)
}

type LoadOptions = Pick<AreasOptions, "connection" | "now" | "report">

/** An answer of a gateway in the place of the server's is no reason to leave at once. */
const missing = (
  report: LoadOptions["report"],
  answer: Answer,
  before: KnownOrganization | undefined
): KnownOrganization | undefined => {
  report(new TrackerError(reasonOf(answer), answer.status))
  const times = (before?.missing ?? 0) + 1
  if (before === undefined || typeof answer.json?.status === "number" || times >= MAX_MISSING) return undefined
  return { ...before, missing: times }
}

/** Loads the areas of an organization from the server; `undefined` when it is gone. */
const load = async (
  { connection, now, report }: LoadOptions,
  organizationId: number,
  before: KnownOrganization | undefined
): Promise<KnownOrganization | undefined> => {
  const [organization, places] = await Promise.all([
    connection.call(ENDPOINTS.organization.get, { organizationId }),
    connection.call(ENDPOINTS.place.list, { organizationId })
  ])
  if (organization.status === 404) return missing(report, organization, before)
  const { trackingArea } = requireSuccess(organization).json
  const listed: ReadonlyArray<GeofencePlace> = requireSuccess(places).status === 204 ? [] : places.json
  const received: ReadonlyArray<GeofenceArea> = [{ organizationId, trackingArea }, ...placeAreas(listed)]
  const faults = received.map(faultOf)
  for (const fault of faults) if (fault !== undefined) report(new TrackerError(fault))
  return { areas: received.filter((_, index) => faults[index] === undefined), at: now() }
}

interface AreasOptions {
  readonly known: { current: KnownAreas }
  readonly key: string
  readonly storage: TrackerStorage
  readonly journal: Journal
  readonly connection: Connection
  readonly platform: Platform
  readonly now: () => number
  readonly report: (error: unknown) => void
  /** Is called when areas were taken. */
  readonly taken: () => void
}

/** The areas of the organizations that are followed. */
export const makeAreas = (options: AreasOptions) => {
  const { known, key, storage, journal, platform, now, report, taken } = options
  const timer = makeTimer(platform)
  let last: Promise<unknown> = Promise.resolve()

  const followed = () => journal.memory().state.follows

  const all = (of: KnownAreas) => Object.values(of).flatMap(({ areas }) => areas)

  /** Takes other areas: first what they change, so that a device that is ended in between does it again. */
  const take = async (next: KnownAreas) => {
    const before = JSON.stringify(known.current)
    const after = JSON.stringify(next)
    if (before === after) return
    const hadFence = journal.memory().geofence !== undefined
    known.current = next
    if (hadFence) await journal.submit(recordAll((geofence) => geofence.update(all(next))))
    else journal.fence()
    taken()
    if (followed().length > 0) await storage.setItem(key, after)
    else await storage.removeItem(key)
  }

  /** Loads the areas of these organizations; those that fail stay as they were. Returns whether all were loaded. */
  const renew = async (organizationIds: ReadonlyArray<number>): Promise<boolean> => {
    let isWhole = true
    report(undefined)
    for (const organizationId of organizationIds) {
      try {
        const loaded = await load(options, organizationId, known.current[organizationId])
        const { [organizationId]: _, ...others } = known.current
        if (followed().includes(organizationId)) {
          await take(loaded === undefined ? others : { ...others, [organizationId]: loaded })
        }
      } catch (error) {
        report(error)
        isWhole = false
      }
    }
    return isWhole
  }

  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  const schedule = (delay: number) => {
    if (followed().length === 0) timer.stop()
    else timer.set(() => void renewAll(), delay * (0.9 + 0.2 * platform.random()))
  }

  const renewAll = () =>
    inTurn(async () => {
      const isWhole = await renew(followed())
      schedule(isWhole ? RENEWAL_INTERVAL_MS : RETRY_INTERVAL_MS)
    })

  return {
    /** The organization of a place, where it is known. */
    organizationOf: (placeId: number): number | undefined => {
      const found = Object.entries(known.current).find(([, { areas }]) =>
        areas.some((area) => area.placeId === placeId)
      )
      return found && Number(found[0])
    },
    /** Takes away the areas of what is no longer followed, and loads the others. */
    follow: () =>
      inTurn(async () => {
        const kept = Object.entries(known.current).filter(([id]) => followed().includes(Number(id)))
        await take(Object.fromEntries(kept)).catch(report)
        const isWhole = await renew(followed())
        schedule(isWhole ? RENEWAL_INTERVAL_MS : RETRY_INTERVAL_MS)
      }),
    /** Renews soon: a refusal may mean that areas changed. */
    renewSoon: () => schedule(RETRY_INTERVAL_MS / 10),
    /** Begins to renew, at once where that is due. */
    start: () => {
      const ages = followed().map((id) => now() - (known.current[id]?.at ?? -Infinity))
      const oldest = Math.max(0, ...ages)
      schedule(Math.max(0, RENEWAL_INTERVAL_MS - oldest))
    },
    /** Forgets all areas in memory. */
    clear: () => {
      timer.stop()
      known.current = {}
    }
  }
}

export type Areas = ReturnType<typeof makeAreas>

/** A phone: it takes its owner's positions of a day, and its tracker tells of the visits. */
import { createTracker, type Tracker } from "@sojourn/tracker"
import type { Visit } from "./city.ts"
import type { badFetch } from "./network.ts"

export interface PhoneOptions {
  readonly url: string
  readonly organizationId: number
  readonly token: string
  readonly fetch: ReturnType<typeof badFetch>
  /** The owner's day. */
  readonly day: ReadonlyArray<Visit>
}

const MINUTE = 60_000

/** How long the owner is on the way before a visit and after it. */
const WAY = 5

/** Storage of a phone that is never switched off. */
const storage = () => {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key)
  }
}

/** A position each minute: on the way into the place, in it, then on the way out again, if the owner leaves. */
const positions = ({ place, entrance, exit }: Visit) => {
  const { latitude, longitude, outside } = place
  const end = exit ?? entrance + 30 * MINUTE
  const count = (end - entrance) / MINUTE + WAY + (exit === undefined ? 0 : WAY)
  return Array.from({ length: count }, (_, minute) => {
    const timestamp = entrance + (minute - WAY) * MINUTE
    const minutesAway = Math.max(0, (entrance - timestamp) / MINUTE, (timestamp - end) / MINUTE + 1)
    const away = (minutesAway / WAY) * (outside - longitude)
    return { coords: { latitude, longitude: longitude + away, accuracy: 8 }, timestamp }
  })
}

/** Lives a day on a network that breaks. Answers the tracker when the server knows everything that it told. */
export const liveADay = async ({ url, organizationId, token, fetch, day }: PhoneOptions): Promise<Tracker> => {
  const tracker = await createTracker({ url, token: async () => token, storage: storage(), fetch })
  do await tracker.follow([organizationId])
  while (tracker.status().lastError !== undefined)
  for (const position of day.flatMap(positions)) tracker.push(position)
  // It tries again by itself after a while, which is too long for an example.
  while (tracker.status().waiting > 0) await tracker.flush()
  return tracker
}

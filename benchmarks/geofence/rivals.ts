/** What other geofences do, for comparison: rules on the raw fixes of one area. */
import type { MakeDecider } from "@sojourn/testing"

type Ring = ReadonlyArray<readonly [number, number]>

const METRES = 111_195

/** The distance in metres to the border of a ring; below 0 inside. */
export const metres = (ring: Ring, longitude: number, latitude: number): number => {
  const kx = METRES * Math.cos((latitude * Math.PI) / 180)
  let nearest = Infinity
  let inside = false
  for (let i = 1; i < ring.length; i++) {
    const wrapped = (degrees: number) => ((((degrees - longitude) % 360) + 540) % 360) - 180
    const [ax, ay] = [wrapped(ring[i - 1]![0]) * kx, (ring[i - 1]![1] - latitude) * METRES]
    const [bx, by] = [wrapped(ring[i]![0]) * kx, (ring[i]![1] - latitude) * METRES]
    const [dx, dy] = [bx - ax, by - ay]
    const along = Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)))
    nearest = Math.min(nearest, Math.hypot(ax + along * dx, ay + along * dy))
    if (ay > 0 !== by > 0 && 0 < ax - (ay / (by - ay)) * dx) inside = !inside
  }
  return inside ? -nearest : nearest
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2
}

interface Seen {
  readonly longitude: number
  readonly latitude: number
  readonly accuracy: number
  readonly timestamp: number
}

/** A rule on the fixes until now, newest last: is the phone inside, given that it was or was not? */
const ruled =
  (rule: (fixes: ReadonlyArray<Seen>, ring: Ring, was: boolean) => boolean, kept: number): MakeDecider =>
  ({ trackingArea }) => {
    const ring: Ring = JSON.parse(trackingArea).coordinates[0]
    let fixes: Array<Seen> = []
    let was = false
    return {
      push: ({ coords, timestamp }) => {
        if (timestamp < (fixes.at(-1)?.timestamp ?? 0)) return []
        fixes = [...fixes, { ...coords, timestamp }].slice(-kept)
        const is = rule(fixes, ring, was)
        if (is === was) return []
        was = is
        return [{ movement: is ? "entrance" : "exit", timestamp }]
      }
    }
  }

/** Each fix decides, as Traccar and Tile38 have it. */
export const pointInPolygon = ruled(
  (fixes, ring) => metres(ring, fixes.at(-1)!.longitude, fixes.at(-1)!.latitude) < 0,
  1
)

/** Two fixes inside are an entrance; two that are 20 m outside, less at most 50 m of accuracy, are an exit. */
export const twoFixes = ruled((fixes, ring, was) => {
  const outside = ({ longitude, latitude, accuracy }: Seen) =>
    metres(ring, longitude, latitude) - Math.min(accuracy, 50) > 20
  const inside = ({ longitude, latitude }: Seen) => metres(ring, longitude, latitude) < 0
  if (fixes.length < 2) return was
  return was ? !fixes.every(outside) : fixes.every(inside)
}, 2)

/** The median of 3 fixes within 25 s for an entrance, the median of 5 above 8 m and 3.5 sigma for an exit. */
export const medians = ruled((fixes, ring, was) => {
  const middle = (some: ReadonlyArray<Seen>) =>
    metres(ring, median(some.map(({ longitude }) => longitude)), median(some.map(({ latitude }) => latitude)))
  const sigma = fixes.reduce((sum, { accuracy }) => sum + accuracy, 0) / fixes.length / 1.5
  if (was) return !(fixes.length === 5 && middle(fixes) > 8 + 3.5 * sigma)
  const last = fixes.slice(-3)
  return last.length === 3 && last[2]!.timestamp - last[0]!.timestamp <= 25_000 && middle(last) < 0
}, 5)

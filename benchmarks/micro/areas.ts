import { parseTrackingArea, squareMetres, whyNotInside, whyOverlap } from "@sojourn/core"
import { Result } from "effect"
import { polygon } from "../shared/polygon.ts"
import { allows, findsNothing, type Subject } from "./Subject.ts"

/** How many points the areas have that are measured. The last is as many as an area may have. */
export const POINTS = [4, 100, 1000]

const read = (text: string) => Result.getOrThrow(parseTrackingArea(text))

const ofPoints = (points: number): ReadonlyArray<Subject> => {
  const named = (what: string) => `area of ${points} points: ${what}`
  const text = polygon({ points, longitude: 11.8, latitude: 45.4, radius: 0.01 })
  const area = read(text)
  const within = read(polygon({ points, longitude: 11.8, latitude: 45.4, radius: 0.005 }))
  const apart = read(polygon({ points, longitude: 12.8, latitude: 45.4, radius: 0.01 }))
  // The boxes around both meet, and the areas do not.
  const beside = read(polygon({ points, longitude: 11.815, latitude: 45.415, radius: 0.01 }))
  return [
    allows(named("read"), () => parseTrackingArea(text)),
    findsNothing(named("another lies inside"), () => whyNotInside(area, within)),
    findsNothing(named("another is apart"), () => whyOverlap(area, apart)),
    findsNothing(named("another is beside it"), () => whyOverlap(area, beside)),
    { name: named("square metres"), once: () => squareMetres(area), isRight: (answer) => (answer as number) > 0 }
  ]
}

/** Two saws of 1,000 points with their slanted teeth between each other's: boxes do not separate their edges. */
const saws = (): ReadonlyArray<Subject> => {
  const teeth = Array.from({ length: 497 }, (_, i) => i)
  const text = (ring: ReadonlyArray<readonly [number, number]>) => {
    const slanted = [...ring, ring[0]!].map(([x, y]) => [(x - y) * 0.003, (x + y) * 0.003])
    return JSON.stringify({ type: "Polygon", coordinates: [slanted] })
  }
  const left = text([
    [-1, 0],
    ...teeth.flatMap(
      (i) =>
        [
          [0, i],
          [400, i + 0.5]
        ] as const
    ),
    [0, 497],
    [-1, 497]
  ])
  const right = text([
    [403, 0],
    [403, 497],
    ...teeth.flatMap(
      (i) =>
        [
          [402, 496.5 - i],
          [2, 496 - i]
        ] as const
    )
  ])
  const [one, other] = [read(left), read(right)]
  return [
    allows("saw of 1000 points: read", () => parseTrackingArea(left)),
    findsNothing("saw of 1000 points: another is between its teeth", () => whyOverlap(one, other))
  ]
}

/** The checks of tracking areas. */
export const areas = (): ReadonlyArray<Subject> => [...POINTS.flatMap(ofPoints), ...saws()]

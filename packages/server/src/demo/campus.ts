/** The campus of the demo: its places, what they hold, and how much they attract. */
import { LongestStay, Retention } from "@sojourn/core"
import { polygon, rectangle } from "./areas.ts"

/** A closed ring of points at equal distances around a centre. */
const round = (longitude: number, latitude: number, radius: number, points: number): string => {
  const corners = Array.from({ length: points }, (_, i) => {
    const angle = (2 * Math.PI * i) / points
    // A degree of longitude is shorter than one of latitude by the cosine of the latitude.
    return [
      longitude + (radius * Math.cos(angle)) / Math.cos((latitude * Math.PI) / 180),
      latitude + radius * Math.sin(angle)
    ].map((degrees) => Math.round(degrees * 1e6) / 1e6)
  })
  return polygon([...corners, corners[0]])
}

/** A place of the campus; `pull` is its part of the crowd in relation to the others. */
export interface CampusPlace {
  readonly name: string
  readonly trackingArea: string
  readonly capacity: number
  readonly pull: number
}

const PLACES: ReadonlyArray<CampusPlace> = [
  { name: "Library", trackingArea: rectangle(13.7902, 45.6591, 13.7918, 45.6599), capacity: 30, pull: 12 },
  { name: "Aula Magna", trackingArea: round(13.7928, 45.6595, 0.0005, 16), capacity: 45, pull: 16 },
  { name: "Lecture hall A", trackingArea: rectangle(13.7937, 45.6591, 13.7944, 45.6599), capacity: 24, pull: 12 },
  { name: "Lecture hall B", trackingArea: rectangle(13.7944, 45.6591, 13.7951, 45.6599), capacity: 24, pull: 10 },
  { name: "Physics laboratory", trackingArea: rectangle(13.7902, 45.6581, 13.791, 45.6588), capacity: 10, pull: 5 },
  { name: "Chemistry laboratory", trackingArea: rectangle(13.791, 45.6581, 13.7918, 45.6588), capacity: 10, pull: 4 },
  { name: "Computer room", trackingArea: rectangle(13.7922, 45.6582, 13.7934, 45.6587), capacity: 16, pull: 7 },
  { name: "Cafeteria", trackingArea: round(13.7944, 45.6584, 0.0004, 6), capacity: 40, pull: 16 },
  { name: "Bookshop", trackingArea: rectangle(13.7902, 45.6573, 13.7908, 45.6578), capacity: 8, pull: 3 },
  { name: "Sports hall", trackingArea: rectangle(13.7911, 45.6571, 13.7924, 45.6578), capacity: 30, pull: 8 },
  { name: "Administration", trackingArea: rectangle(13.7927, 45.6573, 13.7935, 45.6578), capacity: 10, pull: 3 },
  { name: "Park", trackingArea: round(13.7944, 45.6575, 0.0004, 24), capacity: 60, pull: 9 }
]

export const CAMPUS = {
  name: "Demo Campus",
  description: "Simulated people come and go while the server runs with --demo.",
  city: "Trieste",
  trackingMode: "anonymous",
  trackingArea: rectangle(13.7897, 45.6567, 13.7956, 45.6603),
  capacity: 180,
  // In seconds. The crowd of a server that was killed never leaves, and its accesses are of no use to a visitor of the demo.
  policy: { longestStay: LongestStay.make(2 * 60 * 60), retention: Retention.make(24 * 60 * 60) },
  places: PLACES
} as const

/** How much of the crowd a place attracts, in relation to others; 1 for a place that the campus got later. */
export const pullOf = (name: string): number => PLACES.find((place) => place.name === name)?.pull ?? 1

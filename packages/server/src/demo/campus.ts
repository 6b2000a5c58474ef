/** The campus of the demo: its places, what they hold, and how much they attract. */
import { LongestStay, type PlaceId, Retention } from "@sojourn/core"
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

/** How a place attracts people. Hours are from 0 to 24; the crowd that is inside now keeps none. */
export interface Attractiveness {
  /** Its part of the crowd in relation to the others. */
  readonly pull: number
  /** The hours between which people are inside. */
  readonly open: readonly [opens: number, closes: number]
  /** The hours at which it attracts so many times as much. */
  readonly rush?: { readonly from: number; readonly to: number; readonly times: number } | undefined
}

/** A place of the campus. */
export interface CampusPlace extends Attractiveness {
  readonly name: string
  readonly trackingArea: string
  readonly capacity: number
  /** The place that it is a part of, by its name, and its floor. */
  readonly parent?: string
  readonly level?: number
}

const LIBRARY = rectangle(13.7902, 45.6591, 13.7918, 45.6599)

const PLACES: ReadonlyArray<CampusPlace> = [
  {
    name: "Library",
    trackingArea: LIBRARY,
    capacity: 30,
    // People go to its floors.
    pull: 0,
    open: [8, 22]
  },
  {
    name: "Library, ground floor",
    parent: "Library",
    level: 0,
    trackingArea: LIBRARY,
    capacity: 16,
    pull: 5,
    open: [8, 22],
    rush: { from: 17, to: 21, times: 2 }
  },
  {
    name: "Library, first floor",
    parent: "Library",
    level: 1,
    trackingArea: LIBRARY,
    capacity: 14,
    pull: 3,
    open: [8, 22],
    rush: { from: 17, to: 21, times: 2 }
  },
  {
    name: "Reading room",
    parent: "Library, first floor",
    trackingArea: rectangle(13.791, 45.6591, 13.7918, 45.6599),
    capacity: 8,
    pull: 4,
    open: [8, 22],
    rush: { from: 17, to: 21, times: 2 }
  },
  { name: "Aula Magna", trackingArea: round(13.7928, 45.6595, 0.0005, 16), capacity: 45, pull: 16, open: [9, 18] },
  {
    name: "Lecture hall A",
    trackingArea: rectangle(13.7937, 45.6591, 13.7944, 45.6599),
    capacity: 24,
    pull: 12,
    open: [8.5, 18]
  },
  {
    name: "Lecture hall B",
    trackingArea: rectangle(13.7944, 45.6591, 13.7951, 45.6599),
    capacity: 24,
    pull: 10,
    open: [8.5, 18]
  },
  {
    name: "Physics laboratory",
    trackingArea: rectangle(13.7902, 45.6581, 13.791, 45.6588),
    capacity: 10,
    pull: 5,
    open: [9, 17.5]
  },
  {
    name: "Chemistry laboratory",
    trackingArea: rectangle(13.791, 45.6581, 13.7918, 45.6588),
    capacity: 10,
    pull: 4,
    open: [9, 17.5]
  },
  {
    name: "Computer room",
    trackingArea: rectangle(13.7922, 45.6582, 13.7934, 45.6587),
    capacity: 16,
    pull: 7,
    open: [8, 23]
  },
  {
    name: "Cafeteria",
    trackingArea: round(13.7944, 45.6584, 0.0004, 6),
    capacity: 40,
    pull: 16,
    open: [7, 20],
    rush: { from: 12, to: 14, times: 3 }
  },
  {
    name: "Bookshop",
    trackingArea: rectangle(13.7902, 45.6573, 13.7908, 45.6578),
    capacity: 8,
    pull: 3,
    open: [9, 18]
  },
  {
    name: "Sports hall",
    trackingArea: rectangle(13.7911, 45.6571, 13.7924, 45.6578),
    capacity: 30,
    pull: 8,
    open: [7, 22],
    rush: { from: 17, to: 21, times: 3 }
  },
  {
    name: "Administration",
    trackingArea: rectangle(13.7927, 45.6573, 13.7935, 45.6578),
    capacity: 10,
    pull: 3,
    open: [8.5, 16]
  },
  {
    name: "Park",
    trackingArea: round(13.7944, 45.6575, 0.0004, 24),
    capacity: 60,
    pull: 9,
    open: [7, 21],
    rush: { from: 12, to: 14, times: 1.5 }
  }
]

export const CAMPUS = {
  name: "Demo Campus",
  description: "Simulated people come and go while the server runs with --demo.",
  city: "Trieste",
  trackingMode: "anonymous",
  trackingArea: rectangle(13.7897, 45.6567, 13.7956, 45.6603),
  capacity: 180,
  // In seconds. The crowd of a server that was killed never leaves, and its accesses are of no use to a visitor of the demo.
  // The same is true of those whom its door counters have counted in.
  policy: {
    longestStay: LongestStay.make(2 * 60 * 60),
    retention: Retention.make(24 * 60 * 60),
    countedResetAt: "04:00"
  },
  places: PLACES,
  devices: [
    { name: "Library entrance", places: ["Library", "Library, ground floor"] },
    { name: "Cafeteria door", places: ["Cafeteria"] }
  ]
} as const

/** How a place attracts people, by its name; little, for a place that the campus got later. */
export const attractivenessOf = (name: string): Attractiveness =>
  PLACES.find((place) => place.name === name) ?? { pull: 1, open: [8, 18] }

/** A place that people visit. */
export interface Attraction extends Attractiveness {
  readonly id: PlaceId
  /** The places that it is a part of, the outermost first. */
  readonly within: ReadonlyArray<PlaceId>
}

/** The places of the campus as people visit them. */
export const attractionsOf = (
  places: ReadonlyArray<{ readonly id: PlaceId; readonly name: string; readonly parentId?: PlaceId | undefined }>
): ReadonlyArray<Attraction> => {
  const parents = new Map(places.map(({ id, parentId }) => [id, parentId]))
  const pathTo = (id: PlaceId | undefined): ReadonlyArray<PlaceId> =>
    id === undefined ? [] : [...pathTo(parents.get(id)), id]
  return places.map(({ id, name, parentId }) => ({ id, within: pathTo(parentId), ...attractivenessOf(name) }))
}

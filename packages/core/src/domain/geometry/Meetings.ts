import { crosses, type Edge, nearPairs, type Outline, type Vertex } from "./Outline.ts"
import { along, touches, touchesSegment } from "./Position.ts"

/** A piece of an edge, between two spots where the borders of two areas may meet. */
export interface Piece {
  readonly from: Vertex
  readonly to: Vertex
  readonly edge: Edge
}

/** Where the borders of two areas meet without crossing. */
export interface Meetings {
  /** Vertices that touch are one spot, and have one number. */
  readonly spotOf: (vertex: Vertex) => number
  /** Does the other area's border touch here? */
  readonly isMeeting: (vertex: Vertex) => boolean
  /** An outline, cut wherever a vertex of the other area touches one of its edges. */
  readonly cutUp: (outline: Outline) => ReadonlyArray<Piece>
}

/** Numbers vertices, and lets several of them share one number (a union-find). */
const makeSpots = () => {
  const numbers = new Map<Vertex, number>()
  const sameAs: Array<number> = []
  const spotOf = (vertex: Vertex): number => {
    let number = numbers.get(vertex)
    if (number === undefined) {
      number = sameAs.push(sameAs.length) - 1
      numbers.set(vertex, number)
    }
    while (sameAs[number] !== number) number = sameAs[number]!
    return number
  }
  const unite = (one: Vertex, other: Vertex): void => {
    sameAs[spotOf(one)] = spotOf(other)
  }
  return { spotOf, unite }
}

const cutsInOrder = (edge: Edge, cuts: ReadonlySet<Vertex> | undefined): ReadonlyArray<Vertex> => {
  if (cuts === undefined) return []
  const [a, b] = [edge.from.position, edge.to.position]
  return [...cuts].sort((one, other) => along(one.position, a, b) - along(other.position, a, b))
}

/**
 * Finds where two borders meet, or the first two edges that cross (one's edge first).
 *
 * Points within touching distance are made one rather than rounded to a grid: a grid cannot put a vertex on a slanted
 * edge. Edges that touch are not asked whether they cross: the pieces on both sides of the spot tell.
 */
export const findMeetings = (one: Outline, other: Outline): Meetings | readonly [Edge, Edge] => {
  const { spotOf, unite } = makeSpots()
  const meeting = new Set<Vertex>()
  const cuts = new Map<Edge, Set<Vertex>>()

  /** Notes that a vertex touches an edge, if it does. */
  const meets = (vertex: Vertex, edge: Edge): boolean => {
    if (!touchesSegment(vertex.position, edge.from.position, edge.to.position)) return false
    meeting.add(vertex)
    const end = [edge.from, edge.to].find(({ position }) => touches(vertex.position, position))
    if (end !== undefined) unite(vertex, end)
    else cuts.set(edge, (cuts.get(edge) ?? new Set()).add(vertex))
    return true
  }

  for (const [e, f] of nearPairs(one, other)) {
    const touching = [meets(e.from, f), meets(e.to, f), meets(f.from, e), meets(f.to, e)].includes(true)
    if (!touching && crosses(e, f)) return [e, f]
  }

  const meetingSpots = new Set([...meeting].map(spotOf))
  return {
    spotOf,
    isMeeting: (vertex) => meetingSpots.has(spotOf(vertex)),
    cutUp: (outline) =>
      outline
        .flatMap((edge) => {
          const stops = [edge.from, ...cutsInOrder(edge, cuts.get(edge)), edge.to]
          return stops.slice(1).map((to, i) => ({ from: stops[i]!, to, edge }))
        })
        .filter(({ from, to }) => spotOf(from) !== spotOf(to))
  }
}

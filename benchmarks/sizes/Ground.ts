import { polygon, type Round } from "../shared/polygon.ts"

/** The middle of the ground, and how far it reaches, in degrees. */
const CENTRE = { longitude: 11, latitude: 45 }
const REACH = 1

/** How many points the areas of places have: some of each, up to as many as an area may have. */
const POINTS = [4, 100, 1000]

/** The area of an organization, and cells in it that each hold the area of a place. */
export interface Ground {
  readonly area: string
  /** The area in a cell, with as many points as are given, or else some. */
  readonly areaIn: (cell: number, points?: number) => string
}

/** Ground for so many places. Cells are squares in a square, and the areas in them do not touch. */
export const groundFor = (cells: number): Ground => {
  const side = Math.ceil(Math.sqrt(cells))
  const width = (2 * REACH) / side
  return {
    area: polygon({ ...CENTRE, points: Math.max(...POINTS), radius: 2 * REACH }),
    areaIn: (cell, points = POINTS[cell % POINTS.length]!) => {
      const round: Round = {
        points,
        longitude: CENTRE.longitude - REACH + width * ((cell % side) + 0.5),
        latitude: CENTRE.latitude - REACH + width * (Math.floor(cell / side) + 0.5),
        radius: 0.4 * width
      }
      return polygon(round)
    }
  }
}

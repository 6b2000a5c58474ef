/** Areas of tests. */
import type { Polygons } from "../src/browser/shared/area.ts"

/** A rectangle as it is stored: its ring ends where it begins. */
export const rectangle = (west: number, south: number, east: number, north: number): Polygons => [
  [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south]
    ]
  ]
]

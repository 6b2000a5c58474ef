/** Tiles of a base map in the Web Mercator projection, as images in a drawing. */
import type { Projection } from "../shared/area.ts"
import { clamp } from "./view.ts"

/** How wide a tile is drawn at least, in pixels; below twice that. */
const TILE_SIZE_PX = 256

/** The most detailed level that map servers commonly have. */
const MAX_LEVEL = 19

/** The latitude where the Web Mercator projection ends. */
const MAX_LATITUDE = 85.0511

const columnOf = (longitude: number, across: number): number => ((longitude + 180) / 360) * across

const rowOf = (latitude: number, across: number): number => {
  const radians = (clamp(latitude, -MAX_LATITUDE, MAX_LATITUDE) * Math.PI) / 180
  return ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * across
}

const longitudeOf = (column: number, across: number): number => (column / across) * 360 - 180

const latitudeOf = (row: number, across: number): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / across))) * 180) / Math.PI

/**
 * The tiles that fill a drawing whose projection stretches longitude and latitude evenly. Each tile is stretched to its corners: inside of
 * a tile the projections differ by less than a pixel on maps of up to about 200 kilometres.
 */
export const tilesOf = (template: string, project: Projection, width: number, height: number) => {
  const [left, top] = project([0, 0])
  const [perLongitude, perLatitude] = [project([1, 0])[0] - left, top - project([0, 1])[1]]
  if (!(perLongitude > 0 && perLatitude > 0)) return []
  const level = clamp(Math.floor(Math.log2((360 * perLongitude) / TILE_SIZE_PX)), 0, MAX_LEVEL)
  const across = 2 ** level
  const [west, east] = [-left / perLongitude, (width - left) / perLongitude]
  const [north, south] = [top / perLatitude, (top - height) / perLatitude]
  const tiles: Array<Record<"x" | "y" | "width" | "height", number> & { readonly url: string }> = []
  const lastRow = Math.min(Math.ceil(rowOf(south, across)), across)
  const [firstColumn, lastColumn] = [columnOf(west, across), columnOf(east, across)]
  for (let row = Math.max(Math.floor(rowOf(north, across)), 0); row < lastRow; row++) {
    for (let column = Math.max(Math.floor(firstColumn), 0); column < lastColumn; column++) {
      const [x, y] = project([longitudeOf(column, across), latitudeOf(row, across)])
      const [right, bottom] = project([longitudeOf(column + 1, across), latitudeOf(row + 1, across)])
      const url = template
        .replace("{z}", String(level))
        .replace("{x}", String(column % across))
        .replace("{y}", String(row))
      tiles.push({ url, x, y, width: right - x, height: bottom - y })
    }
  }
  return tiles
}

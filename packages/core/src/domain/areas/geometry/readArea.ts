/** The way from text to polygons, without Effect: devices use it as well as the service. */
import type { Polygons } from "./Position.ts"
import { isFault, type Read, readPolygons, whyTooLong } from "./Shape.ts"
import { whyInvalid } from "./Validity.ts"

/** Reads the polygons of a text of bounded length, whose borders may cross, or says why it has none. */
export const readShape = (text: string): Read<Polygons> => whyTooLong(text) ?? readPolygons(text)

/** Reads the polygons of a tracking area from its text, or says why it is none. Never throws, whatever the text. */
export const readArea = (text: string): Read<Polygons> => {
  const polygons = readShape(text)
  return isFault(polygons) ? polygons : (whyInvalid(polygons) ?? polygons)
}

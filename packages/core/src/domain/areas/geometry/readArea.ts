/** The way from text to polygons, without Effect: devices use it as well as the service. */
import type { Polygons } from "./Position.ts"
import { isFault, type Read, readPolygons, whyTooLong } from "./Shape.ts"
import { whyInvalid } from "./Validity.ts"

/** Reads the polygons of a tracking area from its text, or says why it is none. Never throws, whatever the text. */
export const readArea = (text: string): Read<Polygons> => {
  const tooLong = whyTooLong(text)
  if (tooLong) return tooLong
  const polygons = readPolygons(text)
  return isFault(polygons) ? polygons : (whyInvalid(polygons) ?? polygons)
}

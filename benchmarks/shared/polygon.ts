/** A round area, in degrees. */
export interface Round {
  /** How many points are written, of which the last repeats the first; 4 or more. */
  readonly points: number
  readonly longitude: number
  readonly latitude: number
  readonly radius: number
}

/** The text of its tracking area, as GeoJSON. */
export const polygon = ({ points, longitude, latitude, radius }: Round): string => {
  const ring = Array.from({ length: points - 1 }, (_, nth) => {
    const angle = (2 * Math.PI * nth) / (points - 1)
    return [
      Number((longitude + radius * Math.cos(angle)).toFixed(7)),
      Number((latitude + radius * Math.sin(angle)).toFixed(7))
    ]
  })
  return JSON.stringify({ type: "Polygon", coordinates: [[...ring, ring[0]]] })
}

/** Valid areas that are expensive to compare: adjacent polygons with long slanted teeth ("saws"). */
/** An area that covers all saws. */
export const SAWS_GROUND = { west: 10, south: 40, east: 14, north: 44 }

const STEP = 0.005
const TEETH = 498

/**
 * The saw at an index from 0 to 199, with about 1,000 points. The teeth are so slanted that the bounding box of each edge
 * intersects that of every other saw. `depth` from 0 to 1 is the depth of the teeth.
 */
export const saw = (index: number, depth = 1): string => {
  const left = 10.1 + index * STEP
  const tooth = (0.9 * STEP) / TEETH
  const top = 43.9
  const valley = 43.8 - depth * 3.6
  const at = (x: number, y: number) => [Number((x + (y - 40) * 0.6).toFixed(9)), Number(y.toFixed(9))] as const
  const points = [at(left, 40.1)]
  for (let n = 0; n <= TEETH; n++) {
    if (n > 0) points.push(at(left + (n - 0.5) * tooth, valley))
    points.push(at(left + n * tooth, top))
  }
  points.push(at(left + TEETH * tooth, 40.1), points[0]!)
  return JSON.stringify({ type: "Polygon", coordinates: [points] })
}

/** The drawing of areas of which a map shows the whole or a part. */
import { useMemo } from "preact/hooks"
import { besideEachOther, boundsOf, fit, labelOf, type Point, type Polygons, toPath } from "../shared/area.ts"
import { viewOf } from "./view.ts"

/** How high a map is at most, by its width, and its bounds in pixels. */
const [MAX_HEIGHT_RATIO, MIN_HEIGHT_PX, MAX_HEIGHT_PX] = [0.8, 220, 640]

/** The parts of a pixel in which the areas are drawn: they stay smooth when they are enlarged. */
const PIXEL_STEPS = 1_000

/**
 * The areas in a drawing of the whole map. Views of it only scale and move them. `parents` has for each area the index of the one that
 * it is a part of, whose label stands beside its parts.
 */
export const useGeometry = (
  polygons: ReadonlyArray<Polygons>,
  width: number,
  parents: ReadonlyArray<number> = [],
  height?: number
) =>
  useMemo(() => {
    const areas = besideEachOther(polygons)
    const highest = height ?? Math.min(Math.max(width * MAX_HEIGHT_RATIO, MIN_HEIGHT_PX), MAX_HEIGHT_PX)
    const drawing = fit(areas, width, highest)
    const { project: base } = drawing
    const size: Point = [width, height === undefined ? Math.max(drawing.height, MIN_HEIGHT_PX) : drawing.height]
    const parts = Map.groupBy(areas, (_, nth) => parents[nth] ?? -1)
    const outlines = areas.map((area, nth) => ({
      path: toPath(area, base, PIXEL_STEPS),
      box: boundsOf(area.flat(2).map(base)),
      label: labelOf([...area, ...(parts.get(nth) ?? []).flat()], base)
    }))
    const { center } = viewOf(areas.flat(3), base, size)
    return { areas, base, size, outlines, whole: { zoom: 1, center } }
  }, [width, height, parents.join(), ...polygons])

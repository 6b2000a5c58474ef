import { type AreaLimits, DEFAULT_AREA_LIMITS } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.ts"
import { countOf } from "./bounds.ts"
import { text } from "./flags.ts"

/** What `--area-work` counts, in units of work. */
const UNIT = 1_000_000

/** The flags that limit the areas of an organization. */
export const areaFlags = {
  mostPlaces: text("most-places", "How many places an organization may have", String(DEFAULT_AREA_LIMITS.places)),
  mostAreaPoints: text(
    "most-area-points",
    "How many points the areas of an organization's places may have in all",
    String(DEFAULT_AREA_LIMITS.points)
  ),
  areaWork: text(
    "area-work",
    "How much work one change of an area may take, in millions of units of about 5 ms",
    String(DEFAULT_AREA_LIMITS.work / UNIT)
  )
}

export interface AreaFlags {
  readonly mostPlaces: string
  readonly mostAreaPoints: string
  readonly areaWork: string
}

/** What the flags hold. */
export const areaLimitsOf = (flags: AreaFlags): Effect.Effect<AreaLimits, CommandFailed> =>
  Effect.all({
    places: countOf("most-places", flags.mostPlaces),
    points: countOf("most-area-points", flags.mostAreaPoints),
    work: Effect.map(countOf("area-work", flags.areaWork), (millions) => millions * UNIT)
  })

/** The operator's base map below the areas of a drawing; nothing where none is configured. */
import type { Projection } from "../shared/area.ts"
import { settings } from "../shared/settings.ts"
import { tilesOf } from "./tiles.ts"

interface BaseMapProps {
  readonly project: Projection
  readonly width: number
  readonly height: number
}

export const BaseMap = ({ project, width, height }: BaseMapProps) =>
  settings.baseMap === undefined ? null : (
    <g aria-hidden="true" class="base-map">
      {tilesOf(settings.baseMap.url, project, width, height).map(({ url, ...place }) => (
        <image key={url} href={url} preserveAspectRatio="none" {...place} />
      ))}
    </g>
  )

/** Whom the base map comes from. */
export const Attribution = () =>
  settings.baseMap?.attribution === undefined ? null : <p class="attribution">{settings.baseMap.attribution}</p>

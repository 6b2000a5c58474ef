/** What maps have in common: the operator's base map below the areas, the plan of a level, and the buttons. */
import { type Point, type Position, type Projection } from "../shared/area.ts"
import { usePage } from "../shared/context.ts"
import { settings } from "../shared/settings.ts"
import { Toolbar } from "../shared/Toolbar.tsx"
import { boxOf, type Placement } from "./plans.ts"
import { tilesOf } from "./tiles.ts"
import type { useView } from "./useView.ts"

/** The operator's base map; nothing where none is configured. */
export const BaseMap = ({ project, size }: { readonly project: Projection; readonly size: Point }) =>
  settings.baseMap === undefined ? null : (
    <g aria-hidden="true" class="base-map">
      {tilesOf(settings.baseMap.url, project, ...size).map(({ url, ...place }) => (
        <image key={url} href={url} preserveAspectRatio="none" {...place} />
      ))}
    </g>
  )

/** Whom the base map comes from. */
export const Attribution = () =>
  settings.baseMap?.attribution === undefined ? null : <p class="attribution">{settings.baseMap.attribution}</p>

interface PlanImageProps {
  readonly url: string
  readonly plan: Placement
  readonly base: Projection
  /** Where the areas are. */
  readonly near: Position
}

export const PlanImage = ({ url, plan, base, near }: PlanImageProps) => {
  const { center, width, height, rotation } = boxOf(plan, base, near)
  return (
    <image
      class="plan"
      aria-hidden="true"
      href={url}
      x={center[0] - width / 2}
      y={center[1] - height / 2}
      width={width}
      height={height}
      preserveAspectRatio="none"
      transform={`rotate(${rotation} ${center.join(" ")})`}
    />
  )
}

/** The pattern of areas that are over their capacity, of one size at any zoom. */
export const OverPattern = ({ zoom = 1 }: { readonly zoom?: number }) => (
  <defs>
    <pattern
      id="over"
      width={8}
      height={8}
      patternUnits="userSpaceOnUse"
      patternTransform={`scale(${1 / zoom}) rotate(45)`}
    >
      <rect width={8} height={8} />
      <path d="M0 0V8" />
    </pattern>
  </defs>
)

export const MapTools = ({ map }: { readonly map: ReturnType<typeof useView> }) => {
  const { words } = usePage()
  const tools = [
    [words.zoomIn, map.zoomIn, "M8 3v10M3 8h10"],
    [words.zoomOut, map.zoomOut, "M3 8h10"],
    [words.showAll, map.showAll, "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"]
  ] as const
  return (
    <Toolbar class="map-tools" label={words.map} isVertical>
      {tools.map(([label, act, path]) => (
        <button key={label} type="button" aria-label={label} title={label} onClick={() => act()}>
          <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
            <path d={path} />
          </svg>
        </button>
      ))}
    </Toolbar>
  )
}

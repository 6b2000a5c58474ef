/** The buttons of a map. */
import { usePage } from "../shared/context.ts"
import { Toolbar } from "../shared/Toolbar.tsx"

interface MapToolsProps {
  readonly zoomIn: () => void
  readonly zoomOut: () => void
  readonly showAll: () => void
}

export const MapTools = ({ zoomIn, zoomOut, showAll }: MapToolsProps) => {
  const { words } = usePage()
  const tools = [
    [words.zoomIn, zoomIn, "M8 3v10M3 8h10"],
    [words.zoomOut, zoomOut, "M3 8h10"],
    [words.showAll, showAll, "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"]
  ] as const
  return (
    <Toolbar class="map-tools" label={words.map} isVertical>
      {tools.map(([label, act, path]) => (
        <button key={label} type="button" aria-label={label} title={label} onClick={act}>
          <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
            <path d={path} />
          </svg>
        </button>
      ))}
    </Toolbar>
  )
}

/** The buttons of a map: one tab stop, whose arrow keys lead from button to button. */
import type { TargetedKeyboardEvent } from "preact"
import { useState } from "preact/hooks"
import { usePage } from "../shared/context.ts"

interface MapToolsProps {
  readonly zoomIn: () => void
  readonly zoomOut: () => void
  readonly showAll: () => void
}

export const MapTools = ({ zoomIn, zoomOut, showAll }: MapToolsProps) => {
  const { words } = usePage()
  const [stop, setStop] = useState(0)
  const tools = [
    [words.zoomIn, zoomIn, "M8 3v10M3 8h10"],
    [words.zoomOut, zoomOut, "M3 8h10"],
    [words.showAll, showAll, "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"]
  ] as const
  const onKeyDown = ({ key, currentTarget }: TargetedKeyboardEvent<HTMLDivElement>) => {
    const by = /^Arrow(Down|Right)$/.test(key) ? 1 : /^Arrow(Up|Left)$/.test(key) ? -1 : 0
    if (by === 0) return
    const next = (stop + by + tools.length) % tools.length
    setStop(next)
    currentTarget.querySelectorAll("button")[next]!.focus()
  }
  return (
    <div class="map-tools" role="toolbar" aria-label={words.map} aria-orientation="vertical" onKeyDown={onKeyDown}>
      {tools.map(([label, act, path], nth) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          title={label}
          tabindex={nth === stop ? 0 : -1}
          onClick={act}
          onFocus={() => setStop(nth)}
        >
          <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
            <path d={path} />
          </svg>
        </button>
      ))}
    </div>
  )
}

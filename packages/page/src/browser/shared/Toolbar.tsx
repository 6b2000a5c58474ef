/** Buttons that are one tab stop: arrow keys lead from button to button. */
import type { ComponentChildren } from "preact"
import { useOneTabStop } from "./useOneTabStop.ts"

interface ToolbarProps {
  readonly label: string
  readonly class?: string
  readonly isVertical?: boolean
  readonly children: ComponentChildren
}

export const Toolbar = ({ label, class: name, isVertical = false, children }: ToolbarProps) => (
  <div
    class={name}
    role="toolbar"
    aria-label={label}
    aria-orientation={isVertical ? "vertical" : "horizontal"}
    {...useOneTabStop<HTMLDivElement>("button")}
  >
    {children}
  </div>
)

/** A collapsible part of an organization's page, whose module is loaded when it is opened. */
import type { ComponentType } from "preact"
import { useState } from "preact/hooks"
import { Lazy } from "../shared/Lazy.tsx"
import type { PanelProps } from "./model.ts"

interface Options extends PanelProps {
  readonly title: string
  readonly load: () => Promise<{ readonly default: ComponentType<PanelProps> }>
}

export const Panel = ({ title, load, ...props }: Options) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {isOpen && <Lazy load={load} props={props} />}
    </details>
  )
}

/** A collapsible part of an organization's page, whose module is loaded when it is opened. */
import type { ComponentType } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { Lazy } from "../shared/Lazy.tsx"
import type { PanelProps } from "./model.ts"

/** How long a panel may take until its content is there, in milliseconds. */
const CONTENT_DELAY_MS = 3_000

/** Scrolls to a panel, and again as its content arrives, until the administrator does something or the time is over. */
const keepInView = (panel: HTMLElement, onEnd: () => void): (() => void) => {
  const show = () => panel.scrollIntoView({ block: "start" })
  const observer = new ResizeObserver(show)
  const acts = ["pointerdown", "wheel", "keydown", "touchstart"] as const
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const act of acts) removeEventListener(act, end)
  }
  const end = () => {
    stop()
    onEnd()
  }
  const timer = setTimeout(end, CONTENT_DELAY_MS)
  observer.observe(panel)
  for (const act of acts) addEventListener(act, end)
  return stop
}

interface Options extends PanelProps {
  readonly title: string
  readonly load: () => Promise<{ readonly default: ComponentType<PanelProps> }>
  /** Opens the panel when it becomes true; the administrator may close it again. */
  readonly isOpened?: boolean
  /** Opens the panel and moves the focus to it, then calls `onFound`. */
  readonly isSought?: boolean
  readonly onFound?: () => void
}

export const Panel = ({ title, load, isOpened = false, isSought = false, onFound, ...props }: Options) => {
  const [isOpen, setIsOpen] = useState(isOpened)
  const summary = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpened || isSought) setIsOpen(true)
    if (!isSought) return
    summary.current!.focus({ preventScroll: true })
    return keepInView(summary.current!.parentElement!, () => onFound?.())
  }, [isOpened, isSought])
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary ref={summary}>
        <h2>{title}</h2>
      </summary>
      {isOpen && <Lazy load={load} props={props} />}
    </details>
  )
}

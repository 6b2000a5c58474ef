/** A collapsible part of an organization's page, whose module is loaded when it is opened. */
import type { ComponentType } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { Lazy } from "../shared/Lazy.tsx"
import type { PanelProps } from "./model.ts"

/** How long the view of a panel stays as it is before its content counts as complete, in milliseconds. */
const REST_MS = 1_000

/** Scrolls to a panel, and again as content arrives, until all of it is there or the administrator does something. */
const keepInView = (panel: HTMLElement, onEnd: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const rest = () => {
    timer = setTimeout(() => (document.querySelector("main .loading") === null ? end() : rest()), REST_MS)
  }
  const show = () => {
    panel.scrollIntoView({ block: "start" })
    clearTimeout(timer)
    rest()
  }
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
  // What stands above the panel moves it, too.
  for (const element of [panel, document.body]) observer.observe(element)
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

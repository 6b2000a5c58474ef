import type { RefObject } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"

/** The width of an element in pixels, for drawings whose text keeps its size; 0 until it is known. */
export const useWidth = (): readonly [RefObject<HTMLDivElement | null>, number] => {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setWidth(box.current!.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(box.current!)
    measure()
    return () => observer.disconnect()
  }, [])
  return [box, width]
}

import type { RefObject } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Point } from "../shared/area.ts"

/** How high the window is for sizes at most, by its width. */
const MAX_RATIO = 1.4

/** The width and the height of an element in pixels, and the unit of the board's sizes, as its style has it; 0 until they are known. */
export const useSize = (): readonly [RefObject<HTMLDivElement | null>, size: Point, unit: number] => {
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Point>([0, 0])
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setSize([box.current!.clientWidth, box.current!.clientHeight]))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  return [box, size, Math.min(innerHeight, innerWidth * MAX_RATIO) / 100]
}

import type { VNode } from "preact"
import { useRef } from "preact/hooks"

/**
 * Elements of a long list by their keys, each of which is made again only when something that it depends on changed: Preact leaves an
 * element that it was given before as it is.
 */
export const useKept = () => {
  const kept = useRef(new Map<number, readonly [on: ReadonlyArray<unknown>, element: VNode]>())
  return (key: number, on: ReadonlyArray<unknown>, make: () => VNode): VNode => {
    const before = kept.current.get(key)
    if (before !== undefined && before[0].every((one, nth) => one === on[nth])) return before[1]
    const element = make()
    kept.current.set(key, [on, element])
    return element
  }
}

/** A number that is marked for a moment when it changes, without moving anything. */
import { useLayoutEffect, useRef } from "preact/hooks"
import { usePage } from "../shared/context.ts"

export const SoftNumber = ({ value }: { readonly value: number }) => {
  const { formats } = usePage()
  const shown = useRef(value)
  const hasChanged = shown.current !== value
  useLayoutEffect(() => {
    shown.current = value
  }, [value])
  // Another key is another element, whose animation begins anew.
  return (
    <span key={value} class={hasChanged ? "soft number" : "number"}>
      {formats.number(value)}
    </span>
  )
}

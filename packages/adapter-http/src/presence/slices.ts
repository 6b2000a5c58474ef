/** Time slices: long work yields to the event loop, so that other requests are answered between its parts. */
import * as Effect from "effect/Effect"

/** How long work may take before it yields, in milliseconds. */
export const SLICE_MS = 4

/** Makes an effect that long work runs between its parts: it yields once the slice is over. */
export const makeSlices = (): Effect.Effect<void> => {
  let until = performance.now() + SLICE_MS
  return Effect.suspend(() => {
    if (performance.now() < until) return Effect.void
    return Effect.map(Effect.yieldNow, () => void (until = performance.now() + SLICE_MS))
  })
}

/** When the page is drawn again: soon after a change, and the more places it shows the less often. */

/** How long changes are gathered at least, in milliseconds. */
const MIN_DELAY_MS = 50

/** How much time lies at least between two drawings for each place, in milliseconds, and in all. */
const [INTERVAL_PER_PLACE_MS, MAX_INTERVAL_MS] = [0.25, 1_000]

/** Answers a function that is to be called at each change, after which `draw` is called once for all changes until then. */
export const makeRedraws = (placesShown: () => number, draw: () => void): (() => void) => {
  let drawnAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  const drawNow = () => {
    timer = undefined
    drawnAt = performance.now()
    draw()
  }
  return () => {
    if (timer !== undefined) return
    const interval = Math.min(placesShown() * INTERVAL_PER_PLACE_MS, MAX_INTERVAL_MS)
    timer = setTimeout(drawNow, Math.max(drawnAt + interval - performance.now(), MIN_DELAY_MS))
  }
}

/** The status of a tracker, and the listeners to its changes. */
import type { Memory } from "./changes.ts"
import type { TrackerStatus } from "./types.ts"
import { countWaiting } from "./visits.ts"

const statusOf = ({ state, geofence }: Memory, lastError: string | undefined): TrackerStatus => ({
  inside: state.visits.flatMap(({ premises, since, exit }) => (exit === undefined ? [{ ...premises, since }] : [])),
  waiting: countWaiting(state),
  refused: state.refused,
  ...(lastError !== undefined && { lastError }),
  stale: geofence?.stale() ?? false
})

/** The status of a memory: its last error, and the listeners, which are called where it differs, once for all changes of a moment. */
export const makeStatus = (memory: () => Memory) => {
  const listeners = new Set<(status: TrackerStatus) => void>()
  let lastError: string | undefined
  let published = ""
  let isScheduled = false

  const current = () => statusOf(memory(), lastError)

  const publish = () => {
    isScheduled = false
    const status = current()
    const text = JSON.stringify(status)
    if (text === published) return
    published = text
    for (const listener of listeners) {
      try {
        listener(status)
      } catch {
        // A listener's error is its own.
      }
    }
  }

  /** Is called after the status may have changed. */
  const changed = () => {
    if (isScheduled || listeners.size === 0) return
    isScheduled = true
    void Promise.resolve().then(publish)
  }

  return {
    current,
    changed,
    /** Sets the last error, or removes it when undefined. */
    report: (error: unknown) => {
      lastError = error === undefined ? undefined : error instanceof Error ? error.message : String(error)
      changed()
    },
    subscribe: (listener: (status: TrackerStatus) => void) => {
      const own = (status: TrackerStatus) => listener(status)
      if (listeners.size === 0) published = JSON.stringify(current())
      listeners.add(own)
      return () => void listeners.delete(own)
    }
  }
}

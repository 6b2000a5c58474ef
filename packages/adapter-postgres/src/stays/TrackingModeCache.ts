import type { OrganizationId, TrackingMode } from "@sojourn/core"

/**
 * The tracking modes of organizations, as the last movement of each read them. An entry may be stale: it only chooses the
 * statement and the ordering key of a movement, and the statement itself reads the mode.
 */
export interface TrackingModeCache {
  readonly learn: (organizationId: OrganizationId, mode: TrackingMode) => void
  /** Was the organization anonymous? False where there is no entry. */
  readonly isAnonymous: (organizationId: OrganizationId) => boolean
}

/** The largest number of cached organizations. */
const CAPACITY = 100_000

export const makeTrackingModeCache = (): TrackingModeCache => {
  const modes = new Map<OrganizationId, TrackingMode>()
  return {
    learn: (organizationId, mode) => {
      if (modes.get(organizationId) === mode) return
      if (modes.size >= CAPACITY) modes.clear()
      modes.set(organizationId, mode)
    },
    isAnonymous: (organizationId) => modes.get(organizationId) === "anonymous"
  }
}

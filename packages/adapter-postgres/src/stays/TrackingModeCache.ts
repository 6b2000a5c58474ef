import type { OrganizationId, TrackingMode } from "@sojourn/core"

/** Of how many organizations the mode is remembered. */
const MOST_REMEMBERED = 100_000

/**
 * How organizations tracked when a movement last looked. It is a hint, which chooses the statement and the order of
 * movements; what is right, the statement looks up.
 */
export interface Modes {
  readonly learn: (organizationId: OrganizationId, mode: TrackingMode) => void
  /** The hint was of no use: somebody has to look. */
  readonly forget: (organizationId: OrganizationId) => void
  /** Was it anonymous? No, where nobody looked yet. */
  readonly isAnonymous: (organizationId: OrganizationId) => boolean
}

export const makeModes = (): Modes => {
  const modes = new Map<OrganizationId, TrackingMode>()
  return {
    learn: (organizationId, mode) => {
      if (modes.get(organizationId) === mode) return
      if (modes.size >= MOST_REMEMBERED) modes.clear()
      modes.set(organizationId, mode)
    },
    forget: (organizationId) => modes.delete(organizationId),
    isAnonymous: (organizationId) => modes.get(organizationId) === "anonymous"
  }
}

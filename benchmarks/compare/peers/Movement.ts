/** A movement as the peers read it from JSON: shape, kind and time. */

/** A movement as it is sent. */
export interface Movement {
  readonly movementType: 1 | -1 | "entrance" | "exit"
  readonly organizationId: number
  readonly timestamp?: string | undefined
  readonly exitToken?: string | undefined
}

/** Whether a body is one, for a peer without schemas. */
export const isMovement = (body: unknown): body is Movement => {
  if (typeof body !== "object" || body === null) return false
  const { movementType, organizationId, timestamp, exitToken } = body as Record<string, unknown>
  return (
    (movementType === 1 || movementType === -1 || movementType === "entrance" || movementType === "exit") &&
    Number.isSafeInteger(organizationId) &&
    (timestamp === undefined || (typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp)))) &&
    (exitToken === undefined || typeof exitToken === "string")
  )
}

export const isEntrance = ({ movementType }: Movement): boolean => movementType === 1 || movementType === "entrance"

/** How far ahead of the service's clock a movement may be, in milliseconds. */
const AHEAD = 5 * 60_000

/** The time of a movement in UTC, now where it says none; nothing where it is too far ahead. */
export const timeOf = ({ timestamp }: Movement): string | undefined => {
  if (timestamp === undefined) return new Date().toISOString()
  const time = Date.parse(timestamp)
  return time > Date.now() + AHEAD ? undefined : new Date(time).toISOString()
}

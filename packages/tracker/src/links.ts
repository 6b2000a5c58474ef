/** Links of the user to organizations, which know the user by an `orgAuthServerId`. */
import { ENDPOINTS } from "./endpoints.ts"
import type { Areas } from "./areas.ts"
import { type Connection, requireSuccess } from "./connection.ts"
import type { Change } from "./changes.ts"
import type { Journal } from "./Journal.ts"
import { isId } from "./premises.ts"
import type { Tracker } from "./types.ts"
import { keyOf, premisesOf, record } from "./visits.ts"

/** Stores who the user is in an organization. */
export const linked =
  (organizationId: number, orgAuthServerId: string): Change =>
  ({ state }) => {
    if (state.links[organizationId] === orgAuthServerId) return false
    state.links = { ...state.links, [organizationId]: orgAuthServerId }
    return true
  }

interface LinkOptions {
  readonly journal: Journal
  readonly areas: Areas
  readonly connection: Connection
  readonly now: () => number
}

/** Links the user to an organization. Entrances that were refused for want of the link begin then. */
export const makeLink =
  ({ journal, areas, connection, now }: LinkOptions): Tracker["link"] =>
  async (organizationId, { username, password }) => {
    if (!isId(organizationId)) throw new TypeError("An organization is named by its id.")
    const body = { organizationId, username, password }
    const answer = requireSuccess(await connection.call(ENDPOINTS.accountlink.link, { body }))
    const { orgAuthServerId } = answer.json
    const at = now()
    await journal.submit((memory, nextSequence) => {
      const { state, geofence } = memory
      const isChange = linked(organizationId, orgAuthServerId)(memory, nextSequence)
      const refused = new Set(state.refused.flatMap((one) => (one.status === 403 ? [keyOf(one)] : [])))
      const entered = (geofence?.inside() ?? []).filter((stay) => {
        const of = stay.organizationId ?? areas.organizationOf(stay.placeId)
        const decided = { movement: "entrance", ...premisesOf(stay), timestamp: at } as const
        return of === organizationId && refused.has(keyOf(stay)) && record(state, decided, nextSequence)
      })
      return isChange || entered.length > 0
    })
    return { organizationId, orgAuthServerId }
  }

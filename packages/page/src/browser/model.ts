import type { OrganizationJson } from "@sojourn/adapter-http/json"
import type { Polygons } from "./area.ts"
import type { Count } from "./live/counts.ts"
import type { Live } from "./live/useLive.ts"

/** What an administrator may do in an organization; each level may do what those before it may. */
export type Permission = "viewer" | "manager" | "owner"

/** An organization of the administrator. */
export interface Managed {
  readonly id: number
  readonly permission: Permission
  readonly data: OrganizationJson
}

/** An organization or a place of it, with how many are inside: what the map and the table show. */
export interface Premises {
  /** Undefined: the organization as a whole. */
  readonly placeId: number | undefined
  readonly name: string
  readonly polygons: Polygons
  readonly count: Count
}

/** The path of an endpoint that organizations and places have alike. */
export const pathOf = (group: string, organizationId: number, placeId: number | undefined): string =>
  placeId === undefined ? `/${group}/organization/${organizationId}` : `/${group}/place/${placeId}`

/** What the parts of the page that are loaded when they are opened are given. */
export interface PanelProps {
  readonly organizationId: number
  readonly permission: Permission
  /** The selected premises. */
  readonly premises: Premises
  readonly places: ReadonlyArray<Premises>
  readonly live: Live
}

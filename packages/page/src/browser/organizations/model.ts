/** The words that the page's components share: permission levels, premises with their counts, and the properties of tabs and panels. */
import type { Organization, Place } from "@sojourn/client"
import type { Polygons } from "../shared/area.ts"
import type { Count } from "../live/counts.ts"
import type { Lineage } from "./lineages.ts"
import type { Live } from "../live/useLive.ts"

/** What an administrator may do in an organization; each level may do what those before it may. */
export type Permission = (typeof PERMISSIONS)[number]

/** In increasing order; the interface answers them as their positions here, from 1. */
export const PERMISSIONS = ["viewer", "manager", "owner"] as const

/** Whether a level may do what needs at least another one. */
export const allows = (permission: Permission, least: Permission): boolean =>
  PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf(least)

/** A level as the interface answers it. */
export const readPermission = (level: Permission | number): Permission =>
  typeof level === "number" ? PERMISSIONS[level - 1]! : level

/** Stands for the organization as a whole among the ids of its places, none of which is 0. */
export const WHOLE = 0

/** An organization of the administrator. */
export interface Managed {
  readonly id: number
  readonly permission: Permission
  readonly data: Organization
}

/** An organization or a place of it, with how many are inside: what the map and the table show. */
export interface Premises {
  /** Undefined: the organization as a whole. */
  readonly placeId: number | undefined
  readonly name: string
  readonly polygons: Polygons
  readonly count: Count
  /** What it is a part of; empty for the organization. */
  readonly lineage: Lineage<Place>
}

/** The properties of the parts of the page that are loaded when they are opened. */
export interface PanelProps {
  readonly organizationId: number
  readonly permission: Permission
  /** The selected premises. */
  readonly premises: Premises
  readonly places: ReadonlyArray<Premises>
  readonly live: Live
}

/** The properties of a tab of an organization. */
export interface TabProps {
  readonly administratorId: string
  readonly permission: Permission
  /** The organization and its places, as they are now. */
  readonly data: Organization
  readonly places: ReadonlyArray<Place>
  readonly live: Live
  /** Reads the organization and its places again. The stream does so by itself while it is connected. */
  readonly reload: () => void
}

/** The views of an organization, with the level that each needs, the part that it shows, and where the bar at the side leads to them. */
import type { Organization } from "@sojourn/client"
import { allows, type Permission } from "./organizations/model.ts"

/** Where the bar leads beside the organizations; each is a key of the dictionary. */
export type Goal = "overview" | "areas" | "records" | "devices" | "team" | "settings"

/** A view of an organization, which is loaded when it is opened. */
export interface Tab {
  /** Its name in the address. */
  readonly id: string
  /** The least level that sees it. */
  readonly least: Permission
  readonly goal: Goal
  /** Its name among the views of the same goal, a key of the dictionary. */
  readonly label?: "stays" | "changes"
  /** Of which organizations; of all by default. */
  readonly isFor?: (organization: Organization) => boolean
  readonly part: "Areas" | "People" | "Changes" | "Devices" | "Administrators" | "Settings"
}

/** The views of an organization beside its live numbers, in the order of the bar. */
export const TABS: ReadonlyArray<Tab> = [
  { id: "areas", least: "manager", goal: "areas", part: "Areas" },
  {
    id: "people",
    least: "viewer",
    goal: "records",
    label: "stays",
    // Stays of people stay readable after the organization changed to anonymous.
    isFor: ({ authenticationServerURL }) => authenticationServerURL !== undefined,
    part: "People"
  },
  { id: "changes", least: "owner", goal: "records", label: "changes", part: "Changes" },
  { id: "devices", least: "viewer", goal: "devices", part: "Devices" },
  { id: "administrators", least: "owner", goal: "team", part: "Administrators" },
  { id: "details", least: "owner", goal: "settings", part: "Settings" }
]

/** The views that a level sees of an organization. */
export const tabsOf = (permission: Permission, organization: Organization): ReadonlyArray<Tab> =>
  TABS.filter(({ least, isFor }) => allows(permission, least) && isFor?.(organization) !== false)

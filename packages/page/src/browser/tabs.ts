/** The tabs of an organization, with the level that each needs and the module that it loads. */
import { partOf } from "./partOf.ts"
import type { Organization } from "@sojourn/client"
import type { ComponentType } from "preact"
import type { Permission, TabProps } from "./organizations/model.ts"
import type { Words } from "./words/languages.ts"

/** The keys of the dictionary that hold a plain text. */
type Label = { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words]

/** A tab of an organization, which is loaded when it is opened. */
export interface Tab {
  /** Its name in the address. */
  readonly id: string
  /** The least level that sees it. */
  readonly least: Permission
  readonly label: Label
  /** Of which organizations; of all by default. */
  readonly isFor?: (organization: Organization) => boolean
  readonly load: () => Promise<{ readonly default: ComponentType<TabProps> }>
}

/** The tabs of an organization beside its live numbers, in the order of the page. */
export const TABS: ReadonlyArray<Tab> = [
  {
    id: "people",
    least: "viewer",
    label: "people",
    // Stays of people stay readable after the organization changed to anonymous.
    isFor: ({ authenticationServerURL }) => authenticationServerURL !== undefined,
    load: partOf("People")
  },
  { id: "areas", least: "manager", label: "areas", load: partOf("Areas") },
  { id: "devices", least: "viewer", label: "devices", load: partOf("Devices") },
  {
    id: "administrators",
    least: "owner",
    label: "administrators",
    load: partOf("Administrators")
  },
  { id: "changes", least: "owner", label: "changes", load: partOf("Changes") },
  { id: "details", least: "owner", label: "details", load: partOf("Details") }
]

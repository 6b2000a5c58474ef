import type { ComponentType } from "preact"
import type { Permission, TabProps } from "./model.ts"
import type { Words } from "./words.ts"

/** The keys of the dictionary that hold a plain text. */
type Label = { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words]

/** A tab of an organization, which is loaded when it is opened. */
export interface Tab {
  /** Its name in the address. */
  readonly id: string
  /** The least level that sees it. */
  readonly least: Permission
  readonly label: Label
  readonly load: () => Promise<{ readonly default: ComponentType<TabProps> }>
}

/** The tabs of an organization beside its live numbers, in the order of the page. */
export const TABS: ReadonlyArray<Tab> = [
  { id: "areas", least: "manager", label: "areas", load: () => import("./manage/Areas.tsx") },
  { id: "details", least: "owner", label: "details", load: () => import("./manage/Details.tsx") }
]

/** The views of an organization, with the level that each needs, and the bar at the side that leads to them. */
import type { Organization } from "@sojourn/client"
import { useEffect } from "preact/hooks"
import { usePage } from "./shared/context.ts"
import { hrefOf, LIST_HREF } from "./shared/route.ts"
import { useOneTabStop } from "./shared/useOneTabStop.ts"
import { allows, type Permission } from "./organizations/model.ts"

/** Where the bar leads beside the organizations; each is a key of the dictionary. */
type Goal = "overview" | "areas" | "records" | "devices" | "team" | "settings"

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

/** A path for each, in a box of 24 by 24. */
const ICONS = {
  organizations: "M4 21V6l8-3v18M12 9l8 3v9M2 21h20M8 8v.1M8 12v.1M8 16v.1M16 14v.1M16 17v.1",
  overview: "M3 13h7V3H3zM14 21h7V11h-7zM3 21h7v-4H3zM14 7h7V3h-7z",
  areas: "M3 6l6-3 6 3 6-3v15l-6 3-6-3-6 3zM9 3v15M15 6v15",
  records: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7",
  devices:
    "M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM8 16a6 6 0 0 1 0-8M16 8a6 6 0 0 1 0 8M5 19a10 10 0 0 1 0-14M19 5a10 10 0 0 1 0 14",
  team: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6 7-6s7 2 7 6M16 3.5a4 4 0 0 1 0 7M18 15.5c2.5.7 4 2.5 4 5.5",
  settings: "M4 7h9M17 7h3M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4 17h3M11 17h9M9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z"
} as const

interface RailProps {
  /** The organization that its places are of; none where none is shown. */
  readonly organizationId: number | undefined
  readonly tabs: ReadonlyArray<Tab>
  /** The view that is shown; none for the overview. */
  readonly tab: string | undefined
  readonly isOpen: boolean
}

/** The bar is one tab stop. On narrow screens a button opens it. */
export const Rail = ({ organizationId, tabs, tab, isOpen }: RailProps) => {
  const { words } = usePage()
  const current: keyof typeof ICONS =
    organizationId === undefined ? "organizations" : (tabs.find(({ id }) => id === tab)?.goal ?? "overview")
  const firsts = new Map<Goal, Tab | undefined>(organizationId === undefined ? [] : [["overview", undefined]])
  for (const one of tabs) if (!firsts.has(one.goal)) firsts.set(one.goal, one)
  const goals = [
    { goal: "organizations", href: LIST_HREF } as const,
    ...[...firsts].map(([goal, tab]) => ({ goal, href: hrefOf({ organizationId, tab: tab?.id }) }))
  ]
  const stops = useOneTabStop<HTMLElement>(
    "a",
    goals.findIndex(({ goal }) => goal === current)
  )
  useEffect(() => {
    if (isOpen) stops.ref.current!.querySelector<HTMLElement>("[aria-current]")?.focus()
  }, [isOpen])
  return (
    <nav id="rail" class={isOpen ? "rail open" : "rail"} aria-label={words.navigation} {...stops}>
      {goals.map(({ goal, href }) => (
        <a key={goal} href={href} aria-current={goal === current ? "page" : undefined}>
          <svg viewBox="0 0 24 24" width={24} height={24} aria-hidden="true">
            <path d={ICONS[goal]} />
          </svg>
          {words[goal]}
        </a>
      ))}
    </nav>
  )
}

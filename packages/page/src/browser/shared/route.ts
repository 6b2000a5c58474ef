/** The address of the page: the selected organization and tab, in the fragment, which no server sees. */
import { useEffect, useState } from "preact/hooks"

/** What is to be opened and shown of a view: the panel of musters, or the drawing of a new place. */
const PANELS = ["muster", "new"] as const

const THEMES = ["dark", "light"] as const

/** A board of an organization, or the door sign of a place of it. */
export interface BoardRoute {
  readonly organizationId: number
  readonly placeId?: number | undefined
  readonly theme?: (typeof THEMES)[number] | undefined
}

/** What the page shows, as its address names it: `#organization=5&tab=areas`, `#organization=5&panel=muster`, `#organizations`. */
export interface Route {
  /** None: the list of organizations, or the only one. */
  readonly organizationId?: number | undefined
  /** Whether the list is asked for, of whatever length. */
  readonly isList?: boolean
  /** The id of a tab of the organization; none: its live numbers. */
  readonly tab?: string | undefined
  /** What fills the window instead of the tab, or is opened in it. */
  readonly panel?: (typeof PANELS)[number] | undefined
  /** The board of the organization, or the door sign of a place: `#board=5&place=7&theme=dark`. */
  readonly board?: BoardRoute | undefined
}

/** The address of the list of organizations. */
export const LIST_HREF = "#organizations"

export const readRoute = (): Route => {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const idOf = (name: string) => (fragment.has(name) ? Number(fragment.get(name)) : undefined)
  const board = idOf("board")
  return {
    organizationId: idOf("organization"),
    isList: fragment.has(LIST_HREF.slice(1)),
    tab: fragment.get("tab") ?? undefined,
    panel: PANELS.find((panel) => panel === fragment.get("panel")),
    board:
      board === undefined
        ? undefined
        : {
            organizationId: board,
            placeId: idOf("place"),
            theme: THEMES.find((theme) => theme === fragment.get("theme"))
          }
  }
}

export const hrefOf = ({ organizationId, tab, panel }: Route): string =>
  `#organization=${organizationId}${tab === undefined ? "" : `&tab=${tab}`}${panel === undefined ? "" : `&panel=${panel}`}`

export const boardHrefOf = ({ organizationId, placeId }: Pick<BoardRoute, "organizationId" | "placeId">): string =>
  `#board=${organizationId}${placeId === undefined ? "" : `&place=${placeId}`}`

/** The whole address of a fragment, to be opened elsewhere. */
export const addressOf = (fragment: string): string => location.origin + location.pathname + fragment

/** Replaces the address by that of another route, without a step in the history. */
export const replaceRoute = (route: Route): void => {
  history.replaceState(null, "", location.pathname + location.search + hrefOf(route))
  dispatchEvent(new HashChangeEvent("hashchange"))
}

/** The browser's list of entries, which says how far a step in the history went; not every browser has it. */
interface WithNavigation {
  readonly navigation?: { readonly currentEntry?: { readonly index: number } | null }
}

const entryIndex = (): number | undefined => (globalThis as WithNavigation).navigation?.currentEntry?.index

/** What is asked before another address is shown, and the address that is kept until then. */
interface Guard {
  readonly hash: string
  readonly index: number | undefined
  readonly mayLeave: () => Promise<boolean>
}

let guard: Guard | undefined

/** Whether something was typed that is not saved. */
export const isGuarded = (): boolean => guard !== undefined

/** Keeps this address until `mayLeave` agrees to leave it, also by a step back in the history. Returns what ends that. */
export const guardRoute = (mayLeave: () => Promise<boolean>): (() => void) => {
  const own = { hash: location.hash, index: entryIndex(), mayLeave }
  guard = own
  return () => {
    if (guard === own) guard = undefined
  }
}

/** Goes back to the guarded address, and to where the step led once that is agreed to. */
const askBefore = async ({ hash, index, mayLeave }: Guard): Promise<void> => {
  const now = entryIndex()
  const by = index === undefined || now === undefined || now === index ? undefined : now - index
  // Without the list of entries the step was back: the address that is kept takes the place of what was ahead.
  if (by === undefined) history.pushState(null, "", hash)
  else history.go(-by)
  if (!(await mayLeave())) return
  guard = undefined
  history.go(by ?? -1)
}

/** What the address names, as it changes. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const follow = () => {
      if (guard === undefined) setRoute(readRoute())
      else if (location.hash !== guard.hash) void askBefore(guard)
    }
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [])
  return route
}

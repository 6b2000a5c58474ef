/** The address of the page: the selected organization and tab, in the fragment, which no server sees. */
import { useEffect, useState } from "preact/hooks"

/** What the page shows, as its address names it: `#organization=5&tab=areas`, `#organization=5&panel=muster`. */
export interface Route {
  readonly organizationId: number
  /** The id of a tab of the organization; none: its live numbers. */
  readonly tab?: string | undefined
  /** What fills the window instead of the tab. */
  readonly panel?: "muster" | undefined
  /** The board of the organization, or the door sign of a place: `#board=5&place=7&theme=dark`. */
  readonly board?: { readonly placeId?: number | undefined; readonly theme?: "dark" | "light" | undefined } | undefined
}

export const readRoute = (): Route => {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const [board, place, theme] = ["board", "place", "theme"].map((name) => fragment.get(name))
  return {
    organizationId: Number(board ?? fragment.get("organization")),
    tab: fragment.get("tab") ?? undefined,
    panel: fragment.get("panel") === "muster" ? "muster" : undefined,
    board:
      board == null
        ? undefined
        : {
            placeId: place == null ? undefined : Number(place),
            theme: theme === "dark" || theme === "light" ? theme : undefined
          }
  }
}

export const hrefOf = ({ organizationId, tab, panel }: Route): string =>
  `#organization=${organizationId}${tab === undefined ? "" : `&tab=${tab}`}${panel === undefined ? "" : `&panel=${panel}`}`

export const boardHrefOf = (organizationId: number, placeId?: number): string =>
  `#board=${organizationId}${placeId === undefined ? "" : `&place=${placeId}`}`

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

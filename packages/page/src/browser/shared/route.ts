/** The address of the page: the selected organization and tab, in the fragment, which no server sees. */
import { useEffect, useState } from "preact/hooks"

/** What the page shows, as its address names it: `#organization=5&tab=areas`, `#organization=5&panel=muster`. */
export interface Route {
  readonly organizationId: number
  /** The id of a tab of the organization; none: its live numbers. */
  readonly tab?: string | undefined
  /** A panel of the overview that is to be opened and shown. */
  readonly panel?: "muster" | undefined
}

const readRoute = (): Route => {
  const fragment = new URLSearchParams(location.hash.slice(1))
  return {
    organizationId: Number(fragment.get("organization")),
    tab: fragment.get("tab") ?? undefined,
    panel: fragment.get("panel") === "muster" ? "muster" : undefined
  }
}

/** The address of a route. */
export const hrefOf = ({ organizationId, tab, panel }: Route): string =>
  `#organization=${organizationId}${tab === undefined ? "" : `&tab=${tab}`}${panel === undefined ? "" : `&panel=${panel}`}`

/** Replaces the address by that of another route, without a step in the history. */
export const replaceRoute = (route: Route): void => {
  history.replaceState(null, "", location.pathname + location.search + hrefOf(route))
  dispatchEvent(new HashChangeEvent("hashchange"))
}

/** What the address names, as it changes. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const follow = () => setRoute(readRoute())
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [])
  return route
}

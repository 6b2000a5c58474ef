/** The address of the page: the selected organization and tab, in the fragment, which no server sees. */
import { useEffect, useState } from "preact/hooks"

/** What the page shows, as its address names it: `#organization=5&tab=areas`. */
export interface Route {
  readonly organizationId: number
  /** The id of a tab of the organization; none: its live numbers. */
  readonly tab?: string | undefined
}

const readRoute = (): Route => {
  const fragment = new URLSearchParams(location.hash.slice(1))
  return { organizationId: Number(fragment.get("organization")), tab: fragment.get("tab") ?? undefined }
}

/** The address of a route. */
export const hrefOf = ({ organizationId, tab }: Route): string =>
  `#organization=${organizationId}${tab === undefined ? "" : `&tab=${tab}`}`

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

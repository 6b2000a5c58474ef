/** The scenarios of the comparison, and the requests that each sends. */
import type { Work } from "../load/Job.ts"
import { accessesPath, counterPath, PERMISSION, placesPath, TRACK } from "./Api.ts"
import { type Ground, LISTED, PLACES } from "./ground.ts"
import type { Issuer } from "./Issuer.ts"

/** What is done over and over: see {@link SCENARIOS}. */
export type ScenarioName = "pairs" | "counter" | "accesses" | "permission" | "places"

/** What each scenario is, in words. */
export const SCENARIOS: Readonly<Record<ScenarioName, string>> = {
  pairs: "an entrance and its exit, each answered after its commit",
  counter: "a counter read by an administrator",
  accesses: `a list of ${LISTED} accesses by their exit tokens`,
  permission: "an administrator's permissions",
  places: `a list of ${PLACES} places with their areas`
}

/** The scenarios that the peers know as well. The others compare versions of Sojourn. */
export const SHARED: ReadonlyArray<ScenarioName> = ["pairs", "counter", "accesses"]

const reading = (path: string, token: string): Work => ({
  _tag: "Requests",
  requests: [{ method: "GET", path, token }],
  status: 200
})

/** The work of a scenario on the ground of a candidate. */
export const workOf = (scenario: ScenarioName, { organizationId, lists }: Ground, issuer: Issuer): Work => {
  switch (scenario) {
    case "pairs":
      return { _tag: "Pairs", path: TRACK, organizationId, tokens: issuer.users }
    case "counter":
      return reading(counterPath(organizationId), issuer.administrator)
    case "permission":
      return reading(PERMISSION, issuer.administrator)
    case "places":
      return reading(placesPath(organizationId), issuer.administrator)
    case "accesses":
      return {
        _tag: "Requests",
        status: 200,
        requests: issuer.users.map((token, nth) => ({
          method: "GET",
          path: accessesPath(organizationId, lists[nth % lists.length]!),
          token
        }))
      }
  }
}

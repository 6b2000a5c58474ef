import type { Work } from "../load/Job.ts"
import { accessesPath, counterPath, TRACK } from "./Api.ts"
import { type Ground, LISTED } from "./ground.ts"
import type { Issuer } from "./Issuer.ts"

/** What is done over and over: see {@link SCENARIOS}. */
export type ScenarioName = "pairs" | "counter" | "accesses"

/** What each scenario is, in words. */
export const SCENARIOS: Readonly<Record<ScenarioName, string>> = {
  pairs: "an entrance and its exit, each answered after its commit",
  counter: "a counter read by an administrator",
  accesses: `a list of ${LISTED} accesses by their exit tokens`
}

/** The work of a scenario on the ground of a candidate. */
export const workOf = (scenario: ScenarioName, { organizationId, lists }: Ground, issuer: Issuer): Work => {
  switch (scenario) {
    case "pairs":
      return { _tag: "Pairs", path: TRACK, organizationId, tokens: issuer.users }
    case "counter": {
      const request = { method: "GET", path: counterPath(organizationId), token: issuer.administrator } as const
      return { _tag: "Requests", requests: [request], status: 200 }
    }
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

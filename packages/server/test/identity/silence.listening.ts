import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import { want } from "../fixtures.ts"
import type { Canaries } from "./canaries.ts"
import type { Kind } from "./OpenIdProvider.ts"
import { canaryValues, malformed, type Values, wellFormed } from "./silence.requests.ts"
import type { Bearer, Town } from "./Town.ts"

const authorization = (token: string | undefined) => (token === undefined ? undefined : `Bearer ${token}`)

/** Callers, data and requests that consist of canaries, and the search for them in a server's output. */
export const listenTo = (town: Town, canaries: Canaries, sent: () => string) => {
  const { next, keep } = canaries
  /** A caller whose id is a canary. */
  const bearer = async (kind: Kind): Promise<Bearer & { readonly token: string }> => {
    const made = town.bearer(kind, next(kind), `${next("mail")}@example.test`)
    return { ...made, token: keep("bearer token", await made.token) }
  }
  /** A new organization with canaries in all values. */
  const valuesOf = async (url?: string): Promise<Values> => {
    const organizationId = await town.organization(url)
    return { ...canaryValues(next), organizationId, placeId: await town.place(organizationId) }
  }
  /** Sends every request about them; returns the statuses. */
  const ask = async (token: string | undefined, values: Values): Promise<ReadonlyArray<number>> => {
    const statuses: Array<number> = []
    // A sign-in is sent without a token.
    const requests = wellFormed(values).filter(({ form }) => form === undefined || token === undefined)
    for (const { method, path, ...sent } of requests) {
      const answer = await town.call(authorization(token), method, path, {
        ...sent,
        headers: { "idempotency-key": values.key }
      })
      if (typeof answer.json?.exitToken === "string") keep("exit token", answer.json.exitToken)
      if (typeof answer.json?.access_token === "string") keep("bearer token", answer.json.access_token)
      statuses.push(answer.status)
    }
    return statuses
  }
  /** Sends malformed requests about them; returns the statuses. */
  const askMalformed = async (token: string, values: Values): Promise<ReadonlyArray<number>> => {
    const statuses: Array<number> = []
    for (const { method, path, ...sent } of malformed(values)) {
      statuses.push((await town.call(authorization(token), method, path, sent)).status)
    }
    return statuses
  }
  /** Expects no canary in the server's output, its telemetry and its metrics. */
  const quiet = async () => {
    // The metrics are up to a second old.
    await sleep(1_100)
    const metrics = want(await town.get(undefined, "/metrics"), 200).text
    expect(metrics).toContain("sojourn_http_requests_total")
    expect(canaries.in(metrics)).toEqual([])
    expect(canaries.in(town.server.said())).toEqual([])
    expect(canaries.in(sent())).toEqual([])
  }
  return { bearer, valuesOf, ask, askMalformed, quiet }
}

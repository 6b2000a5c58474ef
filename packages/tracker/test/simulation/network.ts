/** A network between a phone and the server that fails in every way that phones meet. */
import type { TrackerRequest, TrackerResponse } from "../../src/index.ts"
import type { World } from "./world.ts"

/** What becomes of a request. The first is what shrinking prefers. */
export const NETWORK_FAULTS = [
  "none",
  "lost on the way",
  "answer lost",
  "answer cut off",
  "never answered",
  "arrives late",
  "arrives twice",
  "answered slowly",
  "500",
  "503 after its work",
  "503 with Retry-After",
  "408",
  "429",
  "401",
  "a page to sign in"
] as const

export type NetworkFault = (typeof NETWORK_FAULTS)[number]

export type Fetch = (url: string, request: TrackerRequest) => Promise<TrackerResponse>

export interface NetworkOptions {
  readonly world: World
  /** The server, at this time. */
  readonly server: (url: string, request: TrackerRequest, at: number) => Promise<TrackerResponse>
  /** The fault of each request in turn; those after them have none. */
  readonly faults: ReadonlyArray<NetworkFault>
  readonly isDown: () => boolean
  /** Is called when a request for the server's time has got an answer of the server, or none. */
  readonly askedTime: (isAnswered: boolean) => void
}

const refusal = (world: World, status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { date: new Date(world.now()).toUTCString(), ...headers } })

export const makeNetwork = ({ world, server, faults, isDown, askedTime }: NetworkOptions) => {
  let requests = 0
  let refusedToken: string | undefined

  return (isAlive: () => boolean): Fetch =>
    (url, request) =>
      new Promise((resolve, reject) => {
        const fault = isDown() ? "lost on the way" : (faults[requests++] ?? "none")
        const trip = world.between(20, 500)
        const answer = (delay: number, respond: () => void) => {
          world.after(delay, () => {
            if (isAlive()) respond()
          })
        }
        const lose = (delay: number) => answer(delay, () => reject(new TypeError("Failed to fetch")))
        const arrive = (delay: number, then: (response: TrackerResponse) => void) => {
          world.after(delay, () => world.work(server(url, request, world.now()).then(then)))
        }
        const respond = (response: TrackerResponse, delay = trip) => answer(delay, () => resolve(response))

        if (url.endsWith("/health/live")) {
          const unanswered: ReadonlyArray<NetworkFault> = [
            "lost on the way",
            "answer lost",
            "never answered",
            "arrives late",
            "answered slowly",
            "a page to sign in"
          ]
          askedTime(!unanswered.includes(fault))
        }
        const { authorization = "" } = request.headers
        if (fault === "401" && authorization !== "") refusedToken = authorization
        // A token that was refused stays refused.
        if (authorization !== "" && refusedToken === authorization) {
          return answer(trip, () => resolve(refusal(world, 401)))
        }
        switch (fault) {
          case "lost on the way":
            return lose(trip)
          case "answer lost":
            return arrive(trip, () => lose(trip))
          case "answer cut off":
            return arrive(trip, ({ status, headers }) =>
              respond({ status, headers, text: () => Promise.reject(new TypeError("terminated")) })
            )
          case "never answered":
            return arrive(trip, () => {})
          case "arrives late":
            arrive(world.between(60_000, 400_000), () => {})
            return lose(trip)
          case "arrives twice":
            arrive(trip, () => {})
            return arrive(2 * trip, respond)
          case "answered slowly":
            return arrive(trip, (response) => respond(response, 45_000))
          case "500":
            return answer(trip, () => resolve(refusal(world, 500)))
          case "503 after its work":
            return arrive(trip, () => respond(refusal(world, 503)))
          case "503 with Retry-After":
            return answer(trip, () => resolve(refusal(world, 503, { "retry-after": "20" })))
          case "408":
            return answer(trip, () => resolve(refusal(world, 408)))
          case "429":
            return answer(trip, () => resolve(refusal(world, 429, { "retry-after": "30" })))
          case "a page to sign in":
            return answer(trip, () =>
              resolve(new Response("<html>Welcome</html>", { headers: { "content-type": "text/html" } }))
            )
          default:
            return arrive(trip, respond)
        }
      })
}

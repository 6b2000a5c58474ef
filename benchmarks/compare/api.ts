/** The endpoints that the comparison checks and measures. */
import { Data, Effect } from "effect"
import { makeClient } from "../../packages/server/test/faults/client.ts"
import type { Server } from "./candidates.ts"

/** A candidate does not answer as it must. */
export class Incorrect extends Data.TaggedError("Incorrect")<{ readonly what: string; readonly found: string }> {
  override get message(): string {
    return `${this.what}: ${this.found}`
  }
}

export const counterPath = (organizationId: number) => `/presence/organization/${organizationId}/counter`

export const accessesPath = (organizationId: number, exitTokens: ReadonlyArray<string>) =>
  `/access/organization/${organizationId}/anonymous/${exitTokens.join(",")}`

/** Calls of a candidate. Each fails where the status is another than `status`, and answers the body. */
export const makeApi = ({ host, port }: Server) => {
  const client = makeClient()
  const call = Effect.fnUntraced(function* <Body>(
    what: string,
    status: number,
    token: string | undefined,
    path: string,
    json?: object
  ) {
    const method = json === undefined ? "GET" : "POST"
    const request = { method, path, json, ...(token !== undefined && { token }) } as const
    const answer = yield* Effect.promise(() => client.ask(`http://${host}:${port}`, request))
    if (answer.status !== status) {
      const found = `answered ${answer.status === 0 ? answer.text : answer.status}, not ${status}`
      return yield* new Incorrect({ what, found })
    }
    return (answer.text === "" ? undefined : JSON.parse(answer.text)) as Body
  })
  return {
    call,
    /** What a path answers that is no JSON. */
    text: (path: string) => Effect.promise(async () => (await fetch(`http://${host}:${port}${path}`)).text()),
    track: (what: string, status: number, token: string | undefined, movement: object) =>
      call<{ readonly exitToken: string; readonly timestamp: string }>(
        what,
        status,
        token,
        "/movement/track/organization",
        movement
      )
  }
}

export type Api = ReturnType<typeof makeApi>

/** Fails unless two values are the same. */
export const requireSame = (what: string, found: unknown, wanted: unknown): Effect.Effect<void, Incorrect> =>
  found === wanted
    ? Effect.void
    : Effect.fail(new Incorrect({ what, found: `${String(found)}, not ${String(wanted)}` }))

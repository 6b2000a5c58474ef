/** The endpoints that the comparison calls, for its checks. Measured requests are sent by `load/`. */
import { Data, Effect } from "effect"
import { OWNER } from "./Issuer.ts"
import type { Server } from "./Server.ts"

/** What a candidate answered. */
export interface Answered {
  readonly status: number
  /** Nothing where the body is no JSON. */
  readonly json: unknown
}

/** A candidate could not be asked. */
export class NotAnswered extends Data.TaggedError("NotAnswered")<{ readonly reason: string }> {
  override get message(): string {
    return `a candidate did not answer: ${this.reason}`
  }
}

/** The interface of a candidate, as far as it is measured. Without a token the call is unauthenticated. */
export interface Api {
  readonly track: (token: string | undefined, movement: object) => Effect.Effect<Answered, NotAnswered>
  readonly counter: (token: string | undefined, organizationId: number) => Effect.Effect<Answered, NotAnswered>
  readonly accesses: (
    token: string | undefined,
    organizationId: number,
    exitTokens: ReadonlyArray<string>
  ) => Effect.Effect<Answered, NotAnswered>
  readonly createPlace: (token: string, place: object) => Effect.Effect<Answered, NotAnswered>
  readonly createOrganization: (token: string, organization: object) => Effect.Effect<Answered, NotAnswered>
}

export const TRACK = "/movement/track/organization"

export const counterPath = (organizationId: number) => `/presence/organization/${organizationId}/counter`

export const placesPath = (organizationId: number) => `/place/organization/${organizationId}`

export const PERMISSION = `/administrator/permission/${OWNER.administratorId}`

export const accessesPath = (organizationId: number, exitTokens: ReadonlyArray<string>) =>
  `/access/organization/${organizationId}/anonymous/${exitTokens.join(",")}`

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `fetch` says what is wrong in the cause of what it throws. */
const inWords = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? `${error}: ${String(error.cause)}` : String(error)

/** Asks a candidate. */
export const makeApi = ({ host, port }: Server): Api => {
  const ask = (token: string | undefined, path: string, body?: object) =>
    Effect.tryPromise({
      try: async (signal): Promise<Answered> => {
        const response = await fetch(`http://${host}:${port}${path}`, {
          signal,
          method: body === undefined ? "GET" : "POST",
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        return { status: response.status, json: parse(await response.text()) }
      },
      catch: (error) => new NotAnswered({ reason: inWords(error) })
    })
  return {
    track: (token, movement) => ask(token, TRACK, movement),
    counter: (token, organizationId) => ask(token, counterPath(organizationId)),
    accesses: (token, organizationId, exitTokens) => ask(token, accessesPath(organizationId, exitTokens)),
    createPlace: (token, place) => ask(token, "/place", place),
    createOrganization: (token, organization) => ask(token, "/operator/organization", organization)
  }
}

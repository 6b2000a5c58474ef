/** How a call ends: with its result, a refusal of the server, or without an answer that the definition knows. */

import type { AreaFault } from "./openapi.ts"

declare const refusedWith: unique symbol

/** A promise of a result. It rejects with a {@link Refused} of one of the statuses, or with {@link RequestFailed}. */
export interface Answer<Result, Status extends number> extends Promise<Result> {
  /** In the types alone: which statuses refuse the call. */
  readonly [refusedWith]?: Status
}

/** The server refused the request with a status that the endpoint declares. */
export class Refused<Status extends number = number> extends Error {
  override readonly name = "Refused"
  readonly status: Status
  /** The kind of refusal, such as `urn:sojourn:problem:place-not-found`, where the server says so. */
  readonly type: string | undefined
  /** What to do about it, in a sentence, where the server says so. */
  readonly detail: string | undefined
  /** What is wrong with an area that was sent, and where in it, if that is why. */
  readonly areaFault: AreaFault | undefined
  /** After how many seconds the request may be sent again, where the server says so. */
  readonly retryAfter: number | undefined
  /** The id of the request, by which its line in the server's log is found. */
  readonly requestId: string | undefined

  constructor(
    status: Status,
    more: Partial<Pick<Refused, "type" | "detail" | "areaFault" | "retryAfter" | "requestId">> = {}
  ) {
    super(more.detail ?? `the server refused the request with ${status}`)
    Object.assign(this, more)
    this.status = status
  }
}

/** There is no answer, or one that the endpoint does not declare. The server may have done what was asked. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed"
  /** The status of the answer, where there is one. */
  readonly status: number | undefined

  constructor(message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.status = options.status
  }
}

/** A result, or the refusal in its place. */
export type Outcome<Result, Status extends number> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly refusal: Refused<Status> }

/**
 * The result of a call or its refusal as a value, with the statuses of the endpoint in the type. Other errors still reject.
 */
export const outcome = async <Result, Status extends number>(
  answer: Answer<Result, Status>
): Promise<Outcome<Result, Status>> => {
  try {
    return { ok: true, value: await answer }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error }
    throw error
  }
}

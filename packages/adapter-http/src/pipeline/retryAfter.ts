/** The `Retry-After` header of an answer, which a refusal of the request may set. */
import type { RequestHead } from "./requestHead.ts"

/** Seconds until a retry by status, where the request has no value of its own. */
const DEFAULTS: { readonly [status: number]: string } = { 429: "60", 503: "1" }

/** The values of requests that are being answered. */
const values = new WeakMap<object, string>()

/** Sets the milliseconds after which a retry of the request can succeed. */
export const setRetryAfter = ({ source }: Pick<RequestHead, "source">, milliseconds: number): void =>
  void values.set(source, String(Math.max(1, Math.ceil(milliseconds / 1000))))

/** The `Retry-After` of an answer: whole seconds, rounded up; undefined where a retry is of no use. */
export const retryAfterOf = ({ source }: RequestHead, status: number): string | undefined => {
  const value = DEFAULTS[status]
  return value === undefined ? undefined : (values.get(source) ?? value)
}

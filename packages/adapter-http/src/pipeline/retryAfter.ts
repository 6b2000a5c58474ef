/** The `Retry-After` header. What refuses a request says the time, and the answer has it. */
import type { RequestHead } from "./requestHead.ts"

/** Seconds until a retry by status, where the request has no value of its own. */
const USUAL: { readonly [status: number]: string } = { 429: "60", 503: "1" }

/** The values of requests that are being answered. */
const said = new WeakMap<object, string>()

/** Says after how many milliseconds it is worth to ask again, should the request be refused for now. */
export const sayRetryAfter = ({ source }: Pick<RequestHead, "source">, milliseconds: number): void =>
  void said.set(source, String(Math.max(1, Math.ceil(milliseconds / 1000))))

/** The `Retry-After` of an answer: whole seconds, rounded up; none where asking again is of no use. */
export const retryAfterOf = ({ source }: RequestHead, status: number): string | undefined => {
  const usual = USUAL[status]
  return usual === undefined ? undefined : (said.get(source) ?? usual)
}

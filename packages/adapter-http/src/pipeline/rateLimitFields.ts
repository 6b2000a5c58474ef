/** The fields `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) of answers to limited requests. */
import type { Consumed } from "./limits.ts"
import type { RequestHead } from "./requestHead.ts"

type Fields = Readonly<Record<"ratelimit" | "ratelimit-policy", string>>

/** The fields of requests that are being answered; undefined while no limit is in force, so that nothing is looked up. */
let said: WeakMap<object, Fields> | undefined

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

/** Says how much of a limit is left, for the answer to have it. */
export const sayRateLimit = (
  { source }: Pick<RequestHead, "source">,
  name: string,
  { limit, remaining, endsIn }: Consumed
): void => {
  said ??= new WeakMap()
  said.set(source, {
    ratelimit: `"${name}";r=${remaining};t=${seconds(endsIn)}`,
    "ratelimit-policy": `"${name}";q=${limit.most};w=${seconds(limit.window)}`
  })
}

/** The fields of an answer; none where no limit is in force. */
export const rateLimitFieldsOf = ({ source }: RequestHead): Fields | undefined => said?.get(source)

/** Rate limits of workers: the primary process counts for all of them. */
import type { Consumed, RequestLimits } from "@sojourn/adapter-http"
import type { AnyCaller, RateLimit } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { RateLimits } from "../limits/RateLimits.ts"
import type { Caller } from "./Calls.ts"

const UNLIMITED = () => Effect.die(new Error("there is no such limit"))

/** The methods of the primary process that consume rate limits. */
export const limitMethods = ({ caller = UNLIMITED, network = UNLIMITED }: RequestLimits) => ({
  consumeOfCaller: (whose: AnyCaller) => caller(whose),
  consumeOfNetwork: (address: string) => network(address)
})

/** The rate limits of a worker. Requests are granted when the primary process does not answer. */
export const remoteLimits = ({ caller, network, trustedProxies }: RateLimits, { call }: Caller): RequestLimits => {
  const consuming = <Whose>(
    method: keyof ReturnType<typeof limitMethods>,
    limit: RateLimit | undefined,
    plain: (whose: Whose) => unknown
  ) =>
    limit &&
    ((whose: Whose) =>
      Effect.orElseSucceed(call(method, plain(whose)) as Effect.Effect<Consumed, unknown>, (): Consumed => ({
        wait: 0,
        limit,
        remaining: 0,
        endsIn: 0
      })))
  return {
    // A limit names a caller by the text of its id, which of devices is a number.
    caller: consuming("consumeOfCaller", caller, (whose: AnyCaller) =>
      whose._tag === "Device" ? { _tag: whose._tag, deviceId: String(whose.deviceId) } : whose
    ),
    network: consuming("consumeOfNetwork", network, (address: string) => address),
    trustedProxies
  }
}

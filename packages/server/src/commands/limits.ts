import type { RateLimit } from "@sojourn/core"
import { Duration, Effect, Option } from "effect"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { StartupError } from "@sojourn/service"
import { RATE_LIMIT_SHARING } from "../limits/layer.ts"
import { oneOf, text } from "./flags.ts"
import { parseDuration, parseWhole, valueOf } from "./values.ts"

/** The flags for rate limits. */
export const limitFlags = {
  rateLimit: text("rate-limit", "How many requests each caller may make, as in 100/1s; none: as many as they like", ""),
  rateLimitAddress: text(
    "rate-limit-address",
    "Requests without a valid token allowed from each address, as in 20/1m; none: no limit",
    ""
  ),
  rateLimitStore: oneOf(
    "rate-limit-store",
    RATE_LIMIT_SHARING,
    "Where it is kept what was asked: memory, each server for itself, or postgres, for all on one database; default memory"
  ).pipe(Flag.withDefault("memory")),
  trustedProxies: text(
    "trusted-proxies",
    "How many proxies stand before the server and add to X-Forwarded-For whom they were called by",
    "0"
  )
}

/** The longest window, in milliseconds. */
const LONGEST = 24 * 60 * 60 * 1000

const rateLimitOf = (name: string, value: string): Effect.Effect<RateLimit | undefined, StartupError> => {
  if (value === "") return Effect.succeed(undefined)
  const [, most, length] = /^([1-9]\d{0,8})\/(\w+)$/.exec(value) ?? []
  const window = Option.match(parseDuration(length ?? ""), { onNone: () => 0, onSome: Duration.toMillis })
  const limit = window > 0 && window <= LONGEST ? Option.some({ most: Number(most), window }) : Option.none()
  return valueOf(name, value, "a number, a slash and a time of at most 24h, as in 100/1s", limit)
}

/** What the flags hold. */
export const limitsOf = (flags: Omit<Command.Command.Config.Infer<typeof limitFlags>, "rateLimitStore">) =>
  Effect.all({
    caller: rateLimitOf("rate-limit", flags.rateLimit),
    network: rateLimitOf("rate-limit-address", flags.rateLimitAddress),
    trustedProxies: valueOf(
      "trusted-proxies",
      flags.trustedProxies,
      "a whole number up to 99",
      parseWhole(flags.trustedProxies, { least: 0, most: 99 })
    )
  })

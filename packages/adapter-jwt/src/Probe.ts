import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as HttpClient from "effect/http/HttpClient"
import type { Answer } from "./Download.ts"
import { LoadFailed } from "./Download.ts"
import type { InvalidOptions } from "./InvalidOptions.ts"
import type { IgnoredKey, UsableKey } from "./PublicKeys.ts"
import * as Settings from "./Settings.ts"
import * as Source from "./Source.ts"

/** How a step went: what it found, why it failed, or that nobody had to take it or could. */
export type Step<Found> =
  | ({ readonly _tag: "Ok"; readonly url: string } & Found)
  | { readonly _tag: "Failed"; readonly reason: string }
  | { readonly _tag: "NotTried" }

/** What an issuer answers now, in plain facts. */
export interface Facts {
  readonly issuer: string
  /** Tokens of this issuer could be verified now. */
  readonly isFine: boolean
  /** `NotTried` when the options give the address of the keys. */
  readonly discovery: Step<{ readonly jwks: string }>
  readonly keys: Step<{
    readonly usable: ReadonlyArray<{
      readonly kid: string | undefined
      readonly type: string
      readonly algorithms: ReadonlyArray<string>
    }>
    readonly ignored: ReadonlyArray<IgnoredKey>
  }>
  /** By how many seconds the issuer's clock is ahead of ours, to a second or two; `undefined` when it does not tell. */
  readonly clockAhead: number | undefined
  /** What is wrong or looks wrong, a sentence each. */
  readonly problems: ReadonlyArray<string>
}

/** A `Date` header tells whole seconds, and the answer was a while on its way. */
const CLOCK_PRECISION = 2

const secondsAhead = (answer: Answer | undefined, now: number): number | undefined => {
  const date = Date.parse(answer?.date ?? "")
  return Number.isNaN(date) ? undefined : Math.round((date - now) / 1000)
}

const shown = ({ kid, type, byAlgorithm }: UsableKey) => ({ kid, type, algorithms: [...byAlgorithm.keys()] })

const failedStep = ({ reason }: LoadFailed) => ({ _tag: "Failed", reason }) as const

const keyProblem = ({ kid, reason }: IgnoredKey) => `The key ${kid ?? "without kid"} is ignored: ${reason}.`

/**
 * Asks an issuer once for what `Oidc.authority` would need, without the waiting and trying again. It only fails, with
 * `InvalidOptions`, when the options cannot be used; what the issuer does wrong is among the facts.
 */
export const probe = Effect.fnUntraced(function* (
  options: Settings.Options
): Effect.fn.Return<Facts, InvalidOptions, HttpClient.HttpClient> {
  const { checks, keySet } = yield* Effect.fromResult(Settings.fromOptions(options))
  const { source } = keySet
  const client = yield* HttpClient.HttpClient
  const inTime = Effect.timeoutOrElse({
    duration: keySet.timeout,
    orElse: () => new LoadFailed({ reason: `no answer in ${Duration.format(keySet.timeout)}` })
  })
  const problems: Array<string> = []

  const located = yield* Source.locate(client, source).pipe(inTime, Effect.result)
  const discovery: Facts["discovery"] = Result.isFailure(located)
    ? failedStep(located.failure)
    : source._tag === "Discovery"
      ? { _tag: "Ok", url: source.url, jwks: located.success.url }
      : { _tag: "NotTried" }
  if (Result.isFailure(located)) {
    problems.push(`The address of the keys is not known: ${located.failure.reason}.`)
    return {
      issuer: checks.issuer,
      isFine: false,
      discovery,
      keys: { _tag: "NotTried" },
      clockAhead: undefined,
      problems
    }
  }

  const { url } = located.success
  const loaded = yield* Source.load(client, url, checks.algorithms).pipe(inTime, Effect.result)
  const now = yield* Clock.currentTimeMillis
  const answer = Result.isSuccess(loaded) ? loaded.success.answer : located.success.answer
  const clockAhead = secondsAhead(answer, now)
  if (clockAhead !== undefined && Math.abs(clockAhead) > checks.clockSkew + CLOCK_PRECISION) {
    const off = `${Math.abs(clockAhead)} s ${clockAhead < 0 ? "behind" : "ahead of"}`
    problems.push(`The issuer's clock is ${off} ours, and ${checks.clockSkew} s are tolerated.`)
  }
  if (Result.isFailure(loaded)) {
    problems.push(`The keys could not be loaded: ${loaded.failure.reason}.`)
    return { issuer: checks.issuer, isFine: false, discovery, keys: failedStep(loaded.failure), clockAhead, problems }
  }
  const { usable, ignored } = loaded.success.keys
  if (usable.length === 0) problems.push("None of the issuer's keys can be used.")
  problems.push(...ignored.map(keyProblem))
  return {
    issuer: checks.issuer,
    isFine: usable.length > 0,
    discovery,
    keys: { _tag: "Ok", url, usable: usable.map(shown), ignored },
    clockAhead,
    problems
  }
})

/** Checks an issuer's discovery document, keys and clock once, for operators before they rely on it. */
import { Clock, Duration, Effect, Result } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { InvalidOptions } from "./InvalidOptions.ts"
import * as IssuerDocuments from "./IssuerDocuments.ts"
import * as Settings from "./Settings.ts"

/** The result of a step: what it found, why it failed, or that it was not needed or not possible. */
export type Step<Found> =
  | ({ readonly _tag: "Ok"; readonly url: string } & Found)
  | { readonly _tag: "Failed"; readonly reason: string }
  | { readonly _tag: "NotTried" }

/** The findings of a probe. */
export interface Facts {
  readonly issuer: string
  /** Whether tokens of this issuer can be verified now. */
  readonly isFine: boolean
  /** `NotTried` when the options give the URL of the keys. */
  readonly discovery: Step<{ readonly jwks: string }>
  readonly keys: Step<{
    readonly usable: ReadonlyArray<{
      readonly kid: string | undefined
      readonly type: string
      readonly algorithms: ReadonlyArray<string>
    }>
    readonly ignored: ReadonlyArray<IssuerDocuments.IgnoredKey>
  }>
  /** Seconds by which the issuer's clock is ahead, within a second or two; `undefined` without a `Date` header. */
  readonly clockAhead: number | undefined
  /** Errors and warnings, one sentence each. */
  readonly problems: ReadonlyArray<string>
}

/** Seconds: a `Date` header has whole seconds, and the response takes time to arrive. */
const CLOCK_PRECISION = 2

const secondsAhead = (header: string | undefined, now: number): number | undefined => {
  const date = Date.parse(header ?? "")
  return Number.isNaN(date) ? undefined : Math.round((date - now) / 1000)
}

const shown = ({ jwk, type, algorithms }: IssuerDocuments.UsableKey) => ({ kid: jwk.kid, type, algorithms })

const failedStep = ({ reason }: IssuerDocuments.LoadFailed) => ({ _tag: "Failed", reason }) as const

const keyProblem = ({ kid, reason }: IssuerDocuments.IgnoredKey) =>
  `The key ${kid ?? "without kid"} is ignored: ${reason}.`

/**
 * Loads once what `Oidc.authority` needs from an issuer, without retries. Errors of the issuer are reported in the result; it
 * fails only with `InvalidOptions`.
 */
export const probe = Effect.fnUntraced(function* (
  options: Settings.Options
): Effect.fn.Return<Facts, InvalidOptions, HttpClient.HttpClient> {
  const { checks, keySet } = yield* Effect.fromResult(Settings.fromOptions(options))
  const { source } = keySet
  const inTime = Effect.timeoutOrElse({
    duration: keySet.timeout,
    orElse: () => new IssuerDocuments.LoadFailed({ reason: `no answer in ${Duration.format(keySet.timeout)}` })
  })
  const problems: Array<string> = []

  const located = yield* IssuerDocuments.locate(source).pipe(inTime, Effect.result)
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
  const loaded = yield* IssuerDocuments.keysAt(url, keySet.algorithms).pipe(inTime, Effect.result)
  const now = yield* Clock.currentTimeMillis
  const { date } = Result.isSuccess(loaded) ? loaded.success : located.success
  const clockAhead = secondsAhead(date, now)
  if (clockAhead !== undefined && Math.abs(clockAhead) > checks.clockSkew + CLOCK_PRECISION) {
    const off = `${Math.abs(clockAhead)} s ${clockAhead < 0 ? "behind" : "ahead of"}`
    problems.push(`The issuer's clock is ${off} ours, and ${checks.clockSkew} s are tolerated.`)
  }
  if (Result.isFailure(loaded)) {
    problems.push(`The keys could not be loaded: ${loaded.failure.reason}.`)
    return { issuer: checks.issuer, isFine: false, discovery, keys: failedStep(loaded.failure), clockAhead, problems }
  }
  const { usable, ignored } = loaded.success
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

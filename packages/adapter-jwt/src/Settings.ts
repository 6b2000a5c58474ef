import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Address from "./Address.ts"
import * as Algorithms from "./Algorithms.ts"
import type { MailTrust, Reading } from "./Claims.ts"
import * as ClaimPath from "./ClaimPath.ts"
import { InvalidOptions } from "./InvalidOptions.ts"
import type * as KeySet from "./KeySet.ts"
import * as Kind from "./Kind.ts"
import * as Source from "./Source.ts"
import * as Token from "./Token.ts"

/** Whose tokens are accepted, where the keys to verify them are, and how they say who is calling. */
export interface Options {
  /** What `iss` must be, exactly. Unless `jwks` is given, `/.well-known/openid-configuration` below it is asked as well. */
  readonly issuer: string
  /** What `aud` must be or hold: one of these. */
  readonly audience: string | ReadonlyArray<string>
  /** The address of the issuer's key set: `https`, or `http` on this machine (default: what discovery names). */
  readonly jwks?: string | undefined
  /** The accepted algorithms (default {@link Algorithms.DEFAULT}). A key is used with its own `alg` or type only. */
  readonly algorithms?: ReadonlyArray<Algorithms.Algorithm> | undefined
  /** What the header's `typ` must be, such as `at+jwt` for an issuer of RFC 9068 access tokens (default: anything). */
  readonly type?: string | undefined
  /** How the caller's kind is known (default: by the claim `sojourn_kind`). */
  readonly kind?: Kind.KindOption | undefined
  /** The claim that holds the caller's id (default `sub`). */
  readonly subject?: ClaimPath.ClaimPathInput | undefined
  /** What is put before that id, so that no other issuer can write it (default: nothing). */
  readonly subjectPrefix?: string | undefined
  /** The claim with an administrator's mail, and when it is believed (default `email`, `verified`); `false`: never. */
  readonly mail?:
    | false
    | { readonly claim?: ClaimPath.ClaimPathInput | undefined; readonly trust?: MailTrust | undefined }
    | undefined
  /** How far the issuer's clock may differ from ours: 0 to 60 seconds (default 5 seconds). */
  readonly clockSkew?: Duration.Input | undefined
  /** The keys are loaded again every so often (default 10 minutes). */
  readonly refreshEvery?: Duration.Input | undefined
  /** The least time between loads that tokens ask for, after the first {@link KeySet.BURST} (default 10 seconds). */
  readonly cooldown?: Duration.Input | undefined
  /** For how long the last good keys are used while no newer ones can be loaded (default 24 hours). */
  readonly keepFor?: Duration.Input | undefined
  /** How long a load of the keys may take, discovery included (default 5 seconds). */
  readonly timeout?: Duration.Input | undefined
  /** Allows `http` on another machine: whoever can change that traffic can be anybody (default false). */
  readonly allowHttp?: boolean | undefined
}

/** Options that can be used. `subjectPrefix` is as it was given: it says whether the operator thought of it. */
export interface Settings {
  readonly checks: Token.Checks
  readonly keySet: KeySet.Options
  readonly reading: Reading
  readonly subjectPrefix: string | undefined
}

const invalid = (reason: string) => Result.fail(new InvalidOptions({ reason }))

const source = (options: Options): Result.Result<Source.Source, InvalidOptions> => {
  const { issuer, allowHttp = false, jwks } = options
  const address = (name: string, text: string) =>
    Result.mapError(
      Address.parse(text, allowHttp ? "anywhere" : "loopback"),
      (why) => new InvalidOptions({ reason: `${name} ${why}` })
    )
  if (jwks !== undefined) return Result.map(address("jwks", jwks), (url) => ({ _tag: "Jwks", url }))
  if (/[?#]/.test(issuer)) return invalid("issuer must have no query and no fragment, or jwks must be given")
  return Result.map(address("issuer", Source.discoveryAddress(issuer)), (url) => ({
    _tag: "Discovery",
    issuer,
    url,
    allowHttp
  }))
}

const duration = (
  name: string,
  input: Duration.Input,
  minimum: Duration.Duration,
  maximum: Duration.Duration
): Result.Result<Duration.Duration, InvalidOptions> => {
  const range = `${name} must be ${Duration.format(minimum)} to ${Duration.format(maximum)}`
  return Result.fromOption(
    Option.filter(Duration.fromInput(input), (given) => Duration.between(given, { minimum, maximum })),
    () => new InvalidOptions({ reason: range })
  )
}

const reading = (options: Options): Result.Result<Reading, InvalidOptions> =>
  Result.gen(function* () {
    const { mail = {} } = options
    const trust = (mail === false ? undefined : mail.trust) ?? "verified"
    if (trust !== "verified" && trust !== "unless-denied") {
      return yield* invalid("mail.trust must be verified or unless-denied")
    }
    return {
      kind: yield* Kind.rule(options.kind ?? {}),
      subject: yield* ClaimPath.parse("subject", options.subject ?? "sub"),
      subjectPrefix: options.subjectPrefix ?? "",
      mail: mail === false ? undefined : { claim: yield* ClaimPath.parse("mail.claim", mail.claim ?? "email"), trust }
    }
  })

/** What the options say, with the defaults. Fails with `InvalidOptions` for the first one that cannot be used. */
export const fromOptions = (options: Options): Result.Result<Settings, InvalidOptions> =>
  Result.gen(function* () {
    const { issuer, algorithms = Algorithms.DEFAULT, type, subjectPrefix } = options
    const audience = typeof options.audience === "string" ? [options.audience] : options.audience
    if (issuer === "") return yield* invalid("issuer must not be empty")
    if (audience.length === 0 || audience.includes("")) return yield* invalid("audience must not be empty")
    if (algorithms.length === 0 || !algorithms.every((algorithm) => Algorithms.ALL.includes(algorithm))) {
      return yield* invalid(`algorithms must be some of ${Algorithms.ALL.join(", ")}`)
    }
    if (type === "") return yield* invalid("type must not be empty")
    const { days, hours, millis, minutes, zero } = Duration
    const { clockSkew = Token.DEFAULT_CLOCK_SKEW } = options
    const tolerated = yield* duration("clockSkew", clockSkew, zero, Token.LARGEST_CLOCK_SKEW)
    return {
      checks: { issuer, audience, algorithms, type, clockSkew: Duration.toSeconds(tolerated) },
      keySet: {
        issuer,
        source: yield* source(options),
        algorithms,
        refreshEvery: yield* duration("refreshEvery", options.refreshEvery ?? "10 minutes", millis(1), days(1)),
        cooldown: yield* duration("cooldown", options.cooldown ?? "10 seconds", millis(1), hours(1)),
        keepFor: yield* duration("keepFor", options.keepFor ?? "24 hours", millis(1), days(7)),
        timeout: yield* duration("timeout", options.timeout ?? "5 seconds", millis(1), minutes(1))
      },
      reading: yield* reading(options),
      subjectPrefix
    }
  })

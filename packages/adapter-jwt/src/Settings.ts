import { Duration, Option, Result } from "effect"
import * as HttpsUrl from "./HttpsUrl.ts"
import * as Algorithms from "./Algorithms.ts"
import type { ClaimRules, MailTrust } from "./Claims.ts"
import * as ClaimPath from "./ClaimPath.ts"
import { InvalidOptions } from "./InvalidOptions.ts"
import * as CallerKind from "./CallerKind.ts"
import * as IssuerDocuments from "./IssuerDocuments.ts"
import type * as IssuerKeys from "./IssuerKeys.ts"
import * as TokenChecks from "./TokenChecks.ts"

/** The options of an issuer: which tokens are accepted, with which keys, and how they name the caller. */
export interface Options {
  /** The exact value of `iss`. Without `jwks`, `/.well-known/openid-configuration` below it is loaded. */
  readonly issuer: string
  /** `aud` must be, or contain, one of these. */
  readonly audience: string | ReadonlyArray<string>
  /** The URL of the issuer's key set: `https`, or `http` on this machine (default: the one from discovery). */
  readonly jwks?: string | undefined
  /**
   * The accepted algorithms (default {@link Algorithms.DEFAULT}). A key is used with its own `alg` or type only; `EdDSA` and
   * `Ed25519` (RFC 9864) are one.
   */
  readonly algorithms?: ReadonlyArray<Algorithms.Algorithm> | undefined
  /** The required `typ` of the header, such as `at+jwt` for RFC 9068 access tokens (default: any). */
  readonly type?: string | undefined
  /** How the caller's kind is determined (default: by the claim `sojourn_kind`). */
  readonly kind?: CallerKind.KindOption | undefined
  /** The claim that holds the caller's id (default `sub`). */
  readonly subject?: ClaimPath.ClaimPathInput | undefined
  /** A prefix added to that id, so that no other issuer can issue it (default: none). */
  readonly subjectPrefix?: string | undefined
  /** The claim with an administrator's mail, and when it is accepted (default `email`, `verified`); `false`: never. */
  readonly mail?:
    | false
    | { readonly claim?: ClaimPath.ClaimPathInput | undefined; readonly trust?: MailTrust | undefined }
    | undefined
  /** The tolerated clock skew: 0 to 60 seconds (default 5 seconds). */
  readonly clockSkew?: Duration.Input | undefined
  /** The interval between loads of the keys (default 10 minutes). */
  readonly refreshEvery?: Duration.Input | undefined
  /** The least time between loads, after the first {@link IssuerKeys.BURST} (default 10 seconds). */
  readonly cooldown?: Duration.Input | undefined
  /** How long the last good keys are used while loads fail (default 24 hours). */
  readonly keepFor?: Duration.Input | undefined
  /** The timeout of a load, discovery included (default 5 seconds). */
  readonly timeout?: Duration.Input | undefined
  /** Allows `http` to another machine. An attacker on that network can then forge any caller (default false). */
  readonly allowHttp?: boolean | undefined
}

/** Validated options. `subjectPrefix` is `undefined` when it was not configured. */
export interface Settings {
  readonly checks: TokenChecks.Checks
  readonly keySet: IssuerKeys.Options
  readonly claimRules: ClaimRules
  readonly subjectPrefix: string | undefined
}

const invalid = (reason: string) => Result.fail(new InvalidOptions({ reason }))

const source = (options: Options): Result.Result<IssuerDocuments.Source, InvalidOptions> => {
  const { issuer, allowHttp = false, jwks } = options
  const address = (name: string, text: string) =>
    Result.mapError(
      HttpsUrl.parse(text, allowHttp ? "anywhere" : "loopback"),
      (why) => new InvalidOptions({ reason: `${name} ${why}` })
    )
  if (jwks !== undefined) return Result.map(address("jwks", jwks), (url) => ({ _tag: "Jwks", url }))
  if (/[?#]/.test(issuer)) return invalid("issuer must have no query and no fragment, or jwks must be given")
  return Result.map(address("issuer", IssuerDocuments.discoveryAddress(issuer)), (url) => ({
    _tag: "Discovery",
    issuer,
    url,
    allowHttp
  }))
}

const duration = (
  name: string,
  input: Duration.Input,
  { minimum, maximum }: { readonly minimum: Duration.Duration; readonly maximum: Duration.Duration }
): Result.Result<Duration.Duration, InvalidOptions> => {
  const range = `${name} must be ${Duration.format(minimum)} to ${Duration.format(maximum)}`
  return Result.fromOption(
    Option.filter(Duration.fromInput(input), (given) => Duration.between(given, { minimum, maximum })),
    () => new InvalidOptions({ reason: range })
  )
}

const claimRules = (options: Options): Result.Result<ClaimRules, InvalidOptions> =>
  Result.gen(function* () {
    const { mail = {} } = options
    const trust = (mail === false ? undefined : mail.trust) ?? "verified"
    if (trust !== "verified" && trust !== "unless-denied") {
      return yield* invalid("mail.trust must be verified or unless-denied")
    }
    return {
      kind: yield* CallerKind.rule(options.kind ?? {}),
      subject: yield* ClaimPath.parse("subject", options.subject ?? "sub"),
      subjectPrefix: options.subjectPrefix ?? "",
      mail: mail === false ? undefined : { claim: yield* ClaimPath.parse("mail.claim", mail.claim ?? "email"), trust }
    }
  })

/** Validates the options and adds the defaults. Fails with `InvalidOptions` for the first invalid one. */
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
    const {
      refreshEvery = "10 minutes",
      cooldown = "10 seconds",
      keepFor = "24 hours",
      timeout = "5 seconds"
    } = options
    const { clockSkew = TokenChecks.DEFAULT_CLOCK_SKEW } = options
    const minimum = Duration.millis(1)
    const tolerated = yield* duration("clockSkew", clockSkew, {
      minimum: Duration.zero,
      maximum: TokenChecks.LARGEST_CLOCK_SKEW
    })
    return {
      checks: {
        issuer,
        audience,
        algorithms: Algorithms.withBothNames(algorithms),
        type,
        clockSkew: Duration.toSeconds(tolerated)
      },
      keySet: {
        issuer,
        source: yield* source(options),
        algorithms,
        refreshEvery: yield* duration("refreshEvery", refreshEvery, { minimum, maximum: Duration.days(1) }),
        cooldown: yield* duration("cooldown", cooldown, { minimum, maximum: Duration.hours(1) }),
        keepFor: yield* duration("keepFor", keepFor, { minimum, maximum: Duration.days(7) }),
        timeout: yield* duration("timeout", timeout, { minimum, maximum: Duration.minutes(1) })
      },
      claimRules: yield* claimRules(options),
      subjectPrefix
    }
  })

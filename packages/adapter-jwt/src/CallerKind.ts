/** Determines the kind of caller that a token stands for, by the operator's options. */
import { NotAuthenticated } from "@sojourn/core"
import { Result } from "effect"
import * as ClaimPath from "./ClaimPath.ts"
import { InvalidOptions } from "./InvalidOptions.ts"

/** The kinds of caller, as tokens and options write them. */
export const NAMES = ["user", "administrator", "operator"] as const
export type KindName = (typeof NAMES)[number]

/** The claim that holds the caller's kind, unless the options name another one (spec: accounts#credentials). */
export const CLAIM = "sojourn_kind"

/** Reads the kind from a claim: a text, an array of texts such as roles or groups, or an object whose keys are the roles. */
export interface KindClaim {
  /** The path of the claim (default `sojourn_kind`). */
  readonly claim?: ClaimPath.ClaimPathInput | undefined
  /** The claim's exact values for each kind. No caller has a kind that is left out. Default: the names of the kinds. */
  readonly values?: { readonly [Kind in KindName]?: string | ReadonlyArray<string> | undefined } | undefined
  /** The kind when the claim is missing or has none of the values (default: the token is refused). */
  readonly default?: KindName | undefined
}

/** How the caller's kind is determined: one kind for every token of the issuer, or by a claim. */
export type KindOption = KindName | KindClaim

/** Reads the caller's kind from a payload. `kinds` are the possible results. */
export interface KindRule {
  readonly kinds: ReadonlyArray<KindName>
  readonly read: (payload: ClaimPath.Payload) => Result.Result<KindName, NotAuthenticated>
}

const NO_KIND = Result.fail(new NotAuthenticated({ reason: "the token names no known kind of caller" }))
const SEVERAL_KINDS = Result.fail(new NotAuthenticated({ reason: "the token names several kinds of caller" }))
const MALFORMED_KIND = Result.fail(
  new NotAuthenticated({ reason: "the claim for the kind of caller holds something else than texts" })
)

const kindByValue = (values: KindClaim["values"]): Result.Result<ReadonlyMap<string, KindName>, InvalidOptions> => {
  const refuse = (why: string) => Result.fail(new InvalidOptions({ reason: `kind.values ${why}` }))
  const byValue = new Map<string, KindName>()
  for (const kind of NAMES) {
    const named = values === undefined ? kind : values[kind]
    if (named === undefined) continue
    const texts = typeof named === "string" ? [named] : named
    if (texts.length === 0 || texts.includes("")) return refuse(`has nothing to know ${kind} by`)
    for (const text of texts) {
      if (byValue.has(text) && byValue.get(text) !== kind) return refuse("has one value for two kinds")
      byValue.set(text, kind)
    }
  }
  return byValue.size === 0 ? refuse("knows no kind") : Result.succeed(byValue)
}

const always = (kind: KindName): KindRule => {
  const answer = Result.succeed(kind)
  return { kinds: [kind], read: () => answer }
}

/** The texts of a claim: a malformed one is not a text. A role that maps to nothing (`false`, `null`) is not clearly given. */
const textsOf = (said: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(said)) return said
  if (typeof said !== "object" || said === null) return [said]
  return Object.values(said).every(Boolean) ? Object.keys(said) : [said]
}

/**
 * Makes the rule of an option. Fails with `InvalidOptions`.
 *
 * The rule fails with `NotAuthenticated` for a claim of another shape than {@link KindClaim} says, for one that names two kinds,
 * which is ambiguous, and, without a `default`, for one that names none.
 */
export const rule = (option: KindOption): Result.Result<KindRule, InvalidOptions> =>
  Result.gen(function* () {
    const fallback = typeof option === "string" ? option : option.default
    if (fallback !== undefined && !NAMES.includes(fallback)) {
      return yield* Result.fail(new InvalidOptions({ reason: `kind must be one of ${NAMES.join(", ")}` }))
    }
    if (typeof option === "string") return always(option)
    const path = yield* ClaimPath.parse("kind.claim", option.claim ?? CLAIM)
    const byValue = yield* kindByValue(option.values)
    const otherwise = fallback === undefined ? NO_KIND : Result.succeed(fallback)
    const answers = new Map(NAMES.map((kind) => [kind, Result.succeed(kind)]))

    const read = (payload: ClaimPath.Payload) => {
      const said = ClaimPath.read(payload, path)
      if (said === undefined) return otherwise
      let found: KindName | undefined
      for (const value of textsOf(said)) {
        if (typeof value !== "string") return MALFORMED_KIND
        const kind = byValue.get(value)
        if (kind !== undefined && found !== undefined && found !== kind) return SEVERAL_KINDS
        found = kind ?? found
      }
      return found === undefined ? otherwise : (answers.get(found) ?? otherwise)
    }
    return { kinds: NAMES.filter((kind) => kind === fallback || [...byValue.values()].includes(kind)), read }
  })

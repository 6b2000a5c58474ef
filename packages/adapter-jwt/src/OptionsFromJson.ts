/** Decodes the options of issuers from the operator's configuration, and refuses unknown ones. */
import { Result, Schema } from "effect"
import { ALL } from "./Algorithms.ts"
import { InvalidOptions } from "./InvalidOptions.ts"
import { NAMES } from "./CallerKind.ts"
import * as Settings from "./Settings.ts"

const Texts = Schema.Union([Schema.String, Schema.Array(Schema.String)])
const KindName = Schema.Literals(NAMES)

/** Milliseconds, or a text such as `10 minutes`. */
const Duration = Schema.Union([Schema.Number, Schema.String])

/** The JSON form of an issuer's options. */
const Issuer = Schema.Struct({
  issuer: Schema.String,
  audience: Texts,
  jwks: Schema.optional(Schema.String),
  algorithms: Schema.optional(Schema.Array(Schema.Literals(ALL))),
  type: Schema.optional(Schema.String),
  kind: Schema.optional(
    Schema.Union([
      KindName,
      Schema.Struct({
        claim: Schema.optional(Texts),
        values: Schema.optional(
          Schema.Struct({
            user: Schema.optional(Texts),
            administrator: Schema.optional(Texts),
            operator: Schema.optional(Texts)
          })
        ),
        default: Schema.optional(KindName)
      })
    ])
  ),
  subject: Schema.optional(Texts),
  subjectPrefix: Schema.optional(Schema.String),
  mail: Schema.optional(
    Schema.Union([
      Schema.Literal(false),
      Schema.Struct({
        claim: Schema.optional(Texts),
        trust: Schema.optional(Schema.Literals(["verified", "unless-denied"]))
      })
    ])
  ),
  clockSkew: Schema.optional(Duration),
  refreshEvery: Schema.optional(Duration),
  cooldown: Schema.optional(Duration),
  keepFor: Schema.optional(Duration),
  timeout: Schema.optional(Duration),
  allowHttp: Schema.optional(Schema.Boolean)
})

// An ignored misspelled option could leave out a check.
const decode = Schema.decodeUnknownResult(Schema.Array(Issuer), { onExcessProperty: "error" })

/**
 * Decodes the options of issuers from parsed JSON: an array of objects, or one object, with the members of `Options`. Fails
 * with `InvalidOptions` for an unknown member, one of another type, and invalid values.
 */
export const fromJson = (json: unknown): Result.Result<ReadonlyArray<Settings.Options>, InvalidOptions> =>
  Result.gen(function* () {
    const issuers = yield* Result.mapError(
      decode(Array.isArray(json) ? json : [json]),
      (error) => new InvalidOptions({ reason: String(error.message) })
    )
    const options = issuers as ReadonlyArray<Settings.Options>
    for (const one of options) yield* Settings.fromOptions(one)
    return options
  })

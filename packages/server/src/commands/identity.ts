import type * as Command from "effect/cli/Command"
import { Effect } from "effect"
import { StartupError } from "@sojourn/service"
import { type Issuers, issuersIn } from "../identity/issuers.ts"
import { issuerKey } from "../keys/IssuerKey.ts"
import { list, text, yes } from "./flags.ts"

/** The flags that choose the issuers of tokens. */
export const issuerFlags = {
  issuer: text("issuer", "An OpenID Connect issuer whose tokens are accepted, as its iss says", ""),
  audience: list("audience", "What that issuer's tokens must be for"),
  kindClaim: text(
    "kind-claim",
    "The claim of that issuer's tokens that holds user, administrator or operator: a name, or a JSON pointer",
    "sojourn_kind"
  ),
  issuers: text("issuers", "A JSON file with issuers and how each writes its claims, instead of these three", ""),
  noOwnIssuer: yes("no-own-issuer", "Accept no tokens of the service's own issuer")
}

type IssuerFlags = Command.Command.Config.Infer<typeof issuerFlags>

const named = Effect.fnUntraced(function* ({
  issuer,
  audience,
  kindClaim,
  issuers
}: IssuerFlags): Effect.fn.Return<Pick<Issuers, "others" | "signIns">, StartupError> {
  if (issuers !== "" && issuer !== "") {
    return yield* new StartupError({ message: "--issuers and --issuer exclude each other" })
  }
  if (issuers !== "") return yield* issuersIn(issuers)
  if (issuer === "") return { others: [], signIns: [] }
  if (audience.length === 0) return yield* new StartupError({ message: "--issuer needs --audience" })
  return { others: [{ issuer, audience, kind: { claim: kindClaim } }], signIns: [] }
})

/** The issuers that the flags choose. */
export const issuersOf = Effect.fnUntraced(function* (
  flags: IssuerFlags,
  data: string
): Effect.fn.Return<Issuers, StartupError> {
  const { others, signIns } = yield* named(flags)
  const own = flags.noOwnIssuer ? undefined : yield* issuerKey(data)
  if (own === undefined && others.length === 0) {
    return yield* new StartupError({
      message: "--no-own-issuer needs --issuer or --issuers: without them no token is valid"
    })
  }
  return { own, others, signIns }
})

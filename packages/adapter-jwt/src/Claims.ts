import type { Caller } from "@sojourn/core"
import {
  Administrator,
  AdministratorId,
  Mail,
  NotAuthenticated,
  Operator,
  OperatorId,
  User,
  UserId
} from "@sojourn/core"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The claim that holds the caller's kind, unless the operator names another one. */
export const KIND_CLAIM = "sojourn_kind"

/** A token's payload: the claims by name. Only what a verified signature covers may be read as a caller. */
export type Payload = Readonly<Record<string, unknown>>

const asUserId = Schema.decodeUnknownOption(UserId)
const asAdministratorId = Schema.decodeUnknownOption(AdministratorId)
const asOperatorId = Schema.decodeUnknownOption(OperatorId)
const asMail = Schema.decodeUnknownOption(Mail)

const claim = (payload: Payload, name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined)

/** Some issuers write the flag as text. Whatever is there and does not say "verified" counts as not verified. */
const isUnverified = (flag: unknown): boolean => flag !== undefined && flag !== true && flag !== "true"

const mailOf = (payload: Payload): Mail | undefined =>
  isUnverified(claim(payload, "email_verified")) ? undefined : Option.getOrUndefined(asMail(claim(payload, "email")))

const NO_SUBJECT = new NotAuthenticated({ reason: "the token's sub is missing or not 1 to 256 characters of text" })
const NO_KIND = new NotAuthenticated({ reason: "the token names no known kind of caller" })

/**
 * The caller that a verified payload is about.
 *
 * - The kind is the claim `kindClaim` (default `sojourn_kind`): exactly `user`, `administrator` or `operator`.
 * - The id is `sub`: text of 1 to 256 characters without NUL and lone surrogates.
 * - An administrator's mail is `email`, when that is a mail address and `email_verified` does not deny it.
 *
 * Fails with `NotAuthenticated` when the kind or the id is missing or is something else.
 */
export const toCaller = (payload: Payload, kindClaim: string = KIND_CLAIM): Result.Result<Caller, NotAuthenticated> => {
  const subject = claim(payload, "sub")
  const caller = (id: Option.Option<Caller>) => Result.fromOption(id, () => NO_SUBJECT)
  switch (claim(payload, kindClaim)) {
    case "user":
      return caller(Option.map(asUserId(subject), User))
    case "administrator":
      return caller(Option.map(asAdministratorId(subject), (id) => Administrator(id, mailOf(payload))))
    case "operator":
      return caller(Option.map(asOperatorId(subject), Operator))
    default:
      return Result.fail(NO_KIND)
  }
}

/** The claims that say who a caller is: what {@link toCaller} reads back as the same caller. */
export const ofCaller = (caller: Caller): Payload => {
  switch (caller._tag) {
    case "User":
      return { sub: caller.userId, [KIND_CLAIM]: "user" }
    case "Administrator":
      return {
        sub: caller.administratorId,
        [KIND_CLAIM]: "administrator",
        ...(caller.mail === undefined ? {} : { email: caller.mail })
      }
    case "Operator":
      return { sub: caller.operatorId, [KIND_CLAIM]: "operator" }
  }
}

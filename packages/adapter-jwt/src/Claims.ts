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
import * as ClaimPath from "./ClaimPath.ts"
import * as Kind from "./Kind.ts"

export type Payload = ClaimPath.Payload

/**
 * When an address is an administrator's mail: `verified` when the claim `email_verified` is true, `unless-denied` also
 * when there is no such claim, for issuers that vouch for every address that they write.
 */
export type MailTrust = "verified" | "unless-denied"

/** How a payload is read as a caller. */
export interface Reading {
  readonly kind: Kind.KindRule
  /** Where the caller's id is. */
  readonly subject: ClaimPath.ClaimPath
  /** What is put before it, so that two issuers' ids are never the same. */
  readonly subjectPrefix: string
  /** Where an administrator's mail is, and when it is believed; `undefined`: never. */
  readonly mail: { readonly claim: ClaimPath.ClaimPath; readonly trust: MailTrust } | undefined
}

/** How the tokens are read that this service writes itself: what {@link ofCaller} says. */
export const OWN: Reading = {
  kind: Result.getOrThrow(Kind.rule({})),
  subject: ["sub"],
  subjectPrefix: "",
  mail: { claim: ["email"], trust: "unless-denied" }
}

const asUserId = Schema.decodeUnknownOption(UserId)
const asAdministratorId = Schema.decodeUnknownOption(AdministratorId)
const asOperatorId = Schema.decodeUnknownOption(OperatorId)
const asMail = Schema.decodeUnknownOption(Mail)

/** Some issuers write the flag as text. Whatever is there and does not say "verified" counts as not verified. */
const isVerified = (flag: unknown, trust: MailTrust): boolean =>
  flag === true || flag === "true" || (flag === undefined && trust === "unless-denied")

const mailOf = (payload: Payload, { mail }: Reading): Mail | undefined =>
  mail !== undefined && isVerified(ClaimPath.read(payload, ["email_verified"]), mail.trust)
    ? Option.getOrUndefined(asMail(ClaimPath.read(payload, mail.claim)))
    : undefined

const NO_SUBJECT = Result.fail(
  new NotAuthenticated({ reason: "the token's id of the caller is missing or not 1 to 256 characters of text" })
)

/**
 * The caller that a verified payload is about (contract, section 1).
 *
 * - The kind is what the reading's rule says.
 * - The id is the reading's subject (`sub`) after its prefix: text of 1 to 256 characters without NUL and lone surrogates.
 * - An administrator's mail is the reading's mail, when it is a mail address and the token says enough of its verification.
 *
 * Fails with `NotAuthenticated` when the kind or the id is missing or is something else.
 */
export const toCaller = (payload: Payload, reading: Reading = OWN): Result.Result<Caller, NotAuthenticated> => {
  const kind = reading.kind.read(payload)
  if (Result.isFailure(kind)) return Result.fail(kind.failure)
  const subject = ClaimPath.read(payload, reading.subject)
  if (typeof subject !== "string" || subject === "") return NO_SUBJECT
  const id = reading.subjectPrefix + subject
  const caller = (proven: Option.Option<Caller>) => (Option.isNone(proven) ? NO_SUBJECT : Result.succeed(proven.value))
  switch (kind.success) {
    case "user":
      return caller(Option.map(asUserId(id), User))
    case "administrator":
      return caller(Option.map(asAdministratorId(id), (known) => Administrator(known, mailOf(payload, reading))))
    case "operator":
      return caller(Option.map(asOperatorId(id), Operator))
  }
}

/** The claims that say who a caller is: what {@link toCaller} reads back as the same caller. */
export const ofCaller = (caller: Caller): Payload => {
  switch (caller._tag) {
    case "User":
      return { sub: caller.userId, [Kind.CLAIM]: "user" }
    case "Administrator":
      return {
        sub: caller.administratorId,
        [Kind.CLAIM]: "administrator",
        ...(caller.mail === undefined ? {} : { email: caller.mail })
      }
    case "Operator":
      return { sub: caller.operatorId, [Kind.CLAIM]: "operator" }
  }
}

/** Reads a caller from the payload of a verified token, and writes the payload of the own issuer's tokens. */
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
import { Option, Result, Schema } from "effect"
import * as ClaimPath from "./ClaimPath.ts"
import * as CallerKind from "./CallerKind.ts"

/**
 * When an address is accepted as an administrator's mail: `verified` requires the claim `email_verified` to be true;
 * `unless-denied` also accepts a missing claim, for issuers that verify every address.
 */
export type MailTrust = "verified" | "unless-denied"

/** The rules that read a payload as a caller. */
export interface ClaimRules {
  readonly kind: CallerKind.KindRule
  /** The path of the caller's id. */
  readonly subject: ClaimPath.ClaimPath
  /** A prefix added to the id, so that two issuers' ids always differ. */
  readonly subjectPrefix: string
  /** The path of an administrator's mail, and when it is accepted; `undefined`: never. */
  readonly mail: { readonly claim: ClaimPath.ClaimPath; readonly trust: MailTrust } | undefined
}

/** The rules for tokens of this service's own issuer: they read what {@link ofCaller} writes. */
export const OWN: ClaimRules = {
  kind: Result.getOrThrow(CallerKind.rule({})),
  subject: ["sub"],
  subjectPrefix: "",
  mail: { claim: ["email"], trust: "unless-denied" }
}

const asUserId = Schema.decodeUnknownOption(UserId)
const asAdministratorId = Schema.decodeUnknownOption(AdministratorId)
const asOperatorId = Schema.decodeUnknownOption(OperatorId)
const asMail = Schema.decodeUnknownOption(Mail)

/** Some issuers write the flag as text. Any other value counts as not verified. */
const isVerified = (flag: unknown, trust: MailTrust): boolean =>
  flag === true || flag === "true" || (flag === undefined && trust === "unless-denied")

const mailOf = (payload: ClaimPath.Payload, { mail }: ClaimRules): Mail | undefined =>
  mail !== undefined && isVerified(ClaimPath.read(payload, ["email_verified"]), mail.trust)
    ? Option.getOrUndefined(asMail(ClaimPath.read(payload, mail.claim)))
    : undefined

const NO_SUBJECT = Result.fail(
  new NotAuthenticated({ reason: "the token's id of the caller is missing or not 1 to 256 characters of text" })
)

/**
 * Reads the caller from a verified payload (spec: accounts#credentials).
 *
 * - The kind is determined by `rules.kind`.
 * - The id is the claim at `rules.subject` after `rules.subjectPrefix`: text of 1 to 256 characters without NUL and lone surrogates.
 * - An administrator's mail is the claim at `rules.mail.claim`, when it is a mail address that `rules.mail.trust` accepts.
 *
 * Fails with `NotAuthenticated` when the kind or the id is missing or is something else.
 */
export const toCaller = (
  payload: ClaimPath.Payload,
  rules: ClaimRules = OWN
): Result.Result<Caller, NotAuthenticated> => {
  const kind = rules.kind.read(payload)
  if (Result.isFailure(kind)) return Result.fail(kind.failure)
  const subject = ClaimPath.read(payload, rules.subject)
  if (typeof subject !== "string" || subject === "") return NO_SUBJECT
  const id = rules.subjectPrefix + subject
  const caller = (proven: Option.Option<Caller>) => (Option.isNone(proven) ? NO_SUBJECT : Result.succeed(proven.value))
  switch (kind.success) {
    case "user":
      return caller(Option.map(asUserId(id), User))
    case "administrator":
      return caller(Option.map(asAdministratorId(id), (known) => Administrator(known, mailOf(payload, rules))))
    case "operator":
      return caller(Option.map(asOperatorId(id), Operator))
  }
}

/** The claims of a caller, which {@link toCaller} reads back as the same caller. */
export const ofCaller = (caller: Caller): ClaimPath.Payload => {
  switch (caller._tag) {
    case "User":
      return { sub: caller.userId, [CallerKind.CLAIM]: "user" }
    case "Administrator":
      return {
        sub: caller.administratorId,
        [CallerKind.CLAIM]: "administrator",
        ...(caller.mail === undefined ? {} : { email: caller.mail })
      }
    case "Operator":
      return { sub: caller.operatorId, [CallerKind.CLAIM]: "operator" }
  }
}

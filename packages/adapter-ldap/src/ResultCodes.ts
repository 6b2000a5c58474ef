/** Maps LDAP result codes to failures. What a code means depends on the operation, and on whose account was bound. */
import { DirectoryRefused, DirectoryTimeout } from "@sojourn/core"
import { Data } from "effect"
import { type Failure, type NoAnswer, unreachable } from "./Failures.ts"

/** A directory answers an operation with a result other than success: one of RFC 4511, appendix A. */
export class NotSucceeded extends Data.TaggedError("NotSucceeded")<{ readonly code: number }> {}

/** Result codes by their names in the RFC. */
export const ResultCode = {
  success: 0,
  operationsError: 1,
  protocolError: 2,
  timeLimitExceeded: 3,
  sizeLimitExceeded: 4,
  strongerAuthRequired: 8,
  referral: 10,
  adminLimitExceeded: 11,
  unavailableCriticalExtension: 12,
  confidentialityRequired: 13,
  constraintViolation: 19,
  noSuchObject: 32,
  aliasProblem: 33,
  invalidDNSyntax: 34,
  inappropriateAuthentication: 48,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53
} as const

/** Results of a refused bind: the account is unknown, locked, expired or disabled, or the password is wrong. */
const REFUSED: ReadonlyArray<number> = [
  ResultCode.constraintViolation,
  ResultCode.noSuchObject,
  ResultCode.aliasProblem,
  ResultCode.invalidDNSyntax,
  ResultCode.inappropriateAuthentication,
  ResultCode.invalidCredentials,
  ResultCode.insufficientAccessRights,
  ResultCode.unwillingToPerform
]

/** Results of a search that the bound account may not make. */
const MAY_NOT_SEARCH: ReadonlyArray<number> = [
  ResultCode.operationsError,
  ResultCode.strongerAuthRequired,
  ResultCode.inappropriateAuthentication,
  ResultCode.insufficientAccessRights,
  ResultCode.unwillingToPerform
]

/** Maps a result whose meaning does not depend on the operation. */
const generally = (code: number): NoAnswer => {
  switch (code) {
    case ResultCode.timeLimitExceeded:
      return new DirectoryTimeout()
    case ResultCode.referral:
      return unreachable("the directory refers to another server, which is not followed")
    case ResultCode.strongerAuthRequired:
    case ResultCode.confidentialityRequired:
      return unreachable("the directory requires TLS or a stronger sign-in")
    case ResultCode.busy:
    case ResultCode.unavailable:
      return unreachable("the directory is busy or shutting down")
    default:
      return unreachable(`the directory answers with result ${code}`)
  }
}

/** A person's bind did not succeed. */
export const ofPersonsBind = ({ code }: NotSucceeded): Failure =>
  REFUSED.includes(code) ? new DirectoryRefused() : generally(code)

/** The service account's bind did not succeed. This is a problem of configuration, not a refusal of a person. */
export const ofServiceBind = ({ code }: NotSucceeded): NoAnswer =>
  REFUSED.includes(code) ? unreachable("the directory refuses the service account") : generally(code)

/** People could not be looked up, anonymously or with the service account. */
export const ofLookup = ({ code }: NotSucceeded): NoAnswer => {
  if (code === ResultCode.noSuchObject) return unreachable("the URL's base is not there, or may not be read")
  return MAY_NOT_SEARCH.includes(code) ? unreachable("the directory does not let people be looked up") : generally(code)
}

/** The holder of proven credentials may not read. */
export const ofPersonsSearch = (result: NotSucceeded): Failure =>
  MAY_NOT_SEARCH.includes(result.code) ? new DirectoryRefused() : ofLookup(result)

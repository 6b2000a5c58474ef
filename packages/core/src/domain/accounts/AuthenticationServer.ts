/** What a question to an organization's authentication server may bring back: a person, or the reason why there is none. */
import type { OrgAuthServerId } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** What an authentication server knows of a person, beside their id. */
export interface PersonInformation {
  readonly orgAuthServerId: OrgAuthServerId
  readonly name: string
  readonly surname: string
}

/** The organization has no authentication server. */
export class AuthenticationServerMissing extends TaggedError(
  "AuthenticationServerMissing",
  "the organization has no authentication server"
)<{}> {}

/** The authentication server refuses the credentials. */
export class DirectoryRefused extends TaggedError(
  "DirectoryRefused",
  "the authentication server refuses the credentials"
)<{}> {}

/** The authentication server cannot be reached, or must not be. `reason` is for the operator's eyes. */
export class DirectoryUnreachable extends TaggedError(
  "DirectoryUnreachable",
  "the authentication server cannot be reached"
)<{ readonly reason: string }> {}

/** The authentication server does not answer in time. */
export class DirectoryTimeout extends TaggedError(
  "DirectoryTimeout",
  "the authentication server did not answer in time"
)<{}> {}

import * as Data from "effect/Data"
import type { OrgAuthServerId } from "./Ids.ts"

/** What an authentication server tells of a person, beside their id. */
export interface PersonInformation {
  readonly orgAuthServerId: OrgAuthServerId
  readonly name: string
  readonly surname: string
}

/** The organization has no authentication server. */
export class AuthenticationServerMissing extends Data.TaggedError("AuthenticationServerMissing")<{}> {}

/** The authentication server refuses the credentials. */
export class DirectoryRefused extends Data.TaggedError("DirectoryRefused")<{}> {}

/** The authentication server cannot be reached, or must not be. `reason` is for the operator's eyes. */
export class DirectoryUnreachable extends Data.TaggedError("DirectoryUnreachable")<{ readonly reason: string }> {}

/** The authentication server does not answer in time. */
export class DirectoryTimeout extends Data.TaggedError("DirectoryTimeout")<{}> {}

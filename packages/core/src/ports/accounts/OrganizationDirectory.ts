/** The port for the authentication servers of organizations: proves credentials, and looks people up. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import {
  type DirectoryRefused,
  type DirectoryTimeout,
  DirectoryUnreachable,
  type PersonInformation
} from "../../domain/accounts/AuthenticationServer.ts"
import type { AuthenticationServerUrl } from "../../domain/accounts/AuthenticationServerUrl.ts"
import type { OrgAuthServerId } from "../../domain/shared/Ids.ts"

/** Credentials for an account on an authentication server: passed on, never stored and never logged. */
export interface DirectoryCredentials {
  readonly username: string
  readonly password: Redacted.Redacted<string>
}

/** How many people `everyone` answers at most. */
export const LARGEST_DIRECTORY_ANSWER = 1000

/**
 * An organization's own authentication server (spec: accounts#authentication-servers).
 *
 * Its answers are not trusted: an id that is no `OrgAuthServerId` counts as not there.
 */
export class OrganizationDirectory extends Context.Service<
  OrganizationDirectory,
  {
    /**
     * Answers the id of the person whom the credentials prove.
     * An empty username or password is `DirectoryRefused` without a request to the server.
     */
    readonly authenticate: (
      server: AuthenticationServerUrl,
      credentials: DirectoryCredentials
    ) => Effect.Effect<OrgAuthServerId, DirectoryRefused | DirectoryUnreachable | DirectoryTimeout>
    /**
     * Answers what the holder of the credentials may see of people, each once, in the order asked for.
     * People who are not there are left out. "everyone" answers at most {@link LARGEST_DIRECTORY_ANSWER}.
     */
    readonly information: (
      server: AuthenticationServerUrl,
      credentials: DirectoryCredentials,
      people: ReadonlyArray<OrgAuthServerId> | "everyone"
    ) => Effect.Effect<ReadonlyArray<PersonInformation>, DirectoryRefused | DirectoryUnreachable | DirectoryTimeout>
  }
>()("@sojourn/core/OrganizationDirectory") {
  /** No authentication server can be reached: for services whose organizations are all anonymous. */
  static readonly layerNone: Layer.Layer<OrganizationDirectory> = Layer.sync(OrganizationDirectory, () => {
    const unreachable = Effect.fail(
      new DirectoryUnreachable({ reason: "this service reaches no authentication server" })
    )
    return { authenticate: () => unreachable, information: () => unreachable }
  })
}

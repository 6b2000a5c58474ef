import * as Context from "effect/Context"
import {
  type AuthenticationServerPolicy,
  defaultAuthenticationServerPolicy
} from "../../domain/accounts/AuthenticationServerUrl.ts"

/** Which authentication servers the operator allows; without one's own choice, the default policy. */
export const AuthenticationServers = Context.Reference<AuthenticationServerPolicy>(
  "@sojourn/core/AuthenticationServers",
  { defaultValue: () => defaultAuthenticationServerPolicy }
)

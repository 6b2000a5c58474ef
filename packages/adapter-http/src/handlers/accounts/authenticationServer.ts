/** Answers the endpoint of `api/accounts/authenticationServer.ts`. */
import { AccountLinks, type OrgAuthServerId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { AuthenticationServerGroup } from "../../api/accounts/authenticationServer.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"
import { listed } from "../shared/listed.ts"

/** `["*"]` alone asks for everyone whom the credentials may see (spec: accounts#everyone). */
const people = (ids: ReadonlyArray<OrgAuthServerId>) => (ids.length === 1 && ids[0] === "*" ? "everyone" : ids)

/** Answers the endpoint for information on users (spec: accounts#authentication-servers). */
export const authenticationServerHandlers = Effect.map(
  AccountLinks,
  (links): GroupHandlers<typeof AuthenticationServerGroup> => ({
    userInformation: ({ caller, payload: { organizationId, organizationCredentials, orgAuthServerIds } }) => {
      const { username, password } = organizationCredentials
      const credentials = { username, password: Redacted.make(password) }
      return links.information(caller, organizationId, credentials, people(orgAuthServerIds)).pipe(
        listed((person) => person),
        refuse()
      )
    }
  })
)

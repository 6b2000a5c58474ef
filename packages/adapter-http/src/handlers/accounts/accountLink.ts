/** Answers the endpoints of `api/accounts/accountLink.ts`. */
import { AccountLinks } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { AccountLinkGroup } from "../../api/accounts/accountLink.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"

/** Answers the endpoints for linking an account (spec: accounts#links). */
export const accountLinkHandlers = Effect.map(AccountLinks, (links): GroupHandlers<typeof AccountLinkGroup> => ({
  link: ({ caller, payload: { organizationId, username, password } }) =>
    links.link(caller, organizationId, { username, password: Redacted.make(password) }).pipe(
      Effect.map(({ orgAuthServerId }) => ({ organizationId, orgAuthServerId })),
      refuse()
    ),
  unlink: ({ caller, params }) => refuse()(links.unlink(caller, params.organizationId))
}))

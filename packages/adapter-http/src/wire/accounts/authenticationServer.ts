/** The JSON of questions to organizations' authentication servers, and of account links. */
import { OrgAuthServerId, Text } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { WireOrganizationId } from "../shared/fields.ts"

/** OrganizationAuthenticationServerRequest (spec: http#shapes). */
export const WireInformationRequest = Schema.Struct({
  organizationId: WireOrganizationId,
  organizationCredentials: Schema.Struct({ username: Text, password: Text }),
  orgAuthServerIds: Schema.Array(OrgAuthServerId).check(Schema.isMinLength(1), Schema.isMaxLength(100))
}).annotate({ identifier: "OrganizationAuthenticationServerRequest" })

/** OrganizationAuthenticationServerInformation. */
export const WireInformation = Schema.Struct({
  orgAuthServerId: Schema.String,
  name: Schema.String,
  surname: Schema.String
}).annotate({ identifier: "OrganizationAuthenticationServerInformation" })

/** What a user proves an account with (spec: accounts#link-proof). */
export const WireLinkRequest = Schema.Struct({
  organizationId: WireOrganizationId,
  username: Text,
  password: Text
}).annotate({ identifier: "LinkRequest" })

/** A link as it is answered. */
export const WireLink = Schema.Struct({ organizationId: WireOrganizationId, orgAuthServerId: Schema.String }).annotate({
  identifier: "AccountLink"
})

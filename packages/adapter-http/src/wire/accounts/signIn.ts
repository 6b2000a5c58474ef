import { Text, textOf } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, WireTimestamp } from "../shared/fields.ts"

/** An access token request by password (RFC 6749, section 4.3.2). The username is a mail address or an administratorId. */
export const WireTokenRequest = Schema.Struct({
  grant_type: Schema.Literal("password"),
  username: Text,
  password: Text
}).annotate({ identifier: "TokenRequest" })

/** An access token (RFC 6749, section 5.1). `expires_in` is in seconds. */
export const WireToken = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  expires_in: Schema.Int
}).annotate({ identifier: "Token" })

/** The administrator whom a token proves. */
export const WireAdministrator = Schema.Struct({
  administratorId: Schema.String,
  mail: known(Schema.String)
}).annotate({ identifier: "Administrator" })

/** Whose tokens are refused that were issued before a moment; now, where it is left out. */
export const WireRevocation = Schema.Struct({
  kind: Schema.Literals(["user", "administrator", "operator"]),
  id: textOf(1, 256),
  issuedBefore: leftOut(WireTimestamp)
}).annotate({ identifier: "TokenRevocation" })

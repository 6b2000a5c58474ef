import { Text } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, WireOrganizationId, WireTimestamp } from "../shared/fields.ts"
import { WireOrganization } from "./organization.ts"

/** Favorite, as it is sent (spec: http#shapes). */
export const WireFavoriteDraft = Schema.Struct({
  userId: leftOut(Text),
  organizationId: WireOrganizationId,
  orgAuthServerId: leftOut(Text)
}).annotate({ identifier: "FavoriteDraft" })

/** Favorite, as it is answered: with its organization. */
export const WireFavorite = Schema.Struct({
  userId: Schema.String,
  organizationId: WireOrganizationId,
  orgAuthServerId: known(Schema.String),
  creationDate: WireTimestamp,
  organization: WireOrganization
}).annotate({ identifier: "Favorite" })

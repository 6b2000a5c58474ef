import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { WireFavorite, WireFavoriteDraft } from "../../wire/organizations/favorite.ts"
import { WireOrganization } from "../../wire/organizations/organization.ts"
import { Users, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

/** Favorite organizations (spec: organizations#favorites). */
export class FavoriteGroup extends HttpApiGroup.make("favorite")
  .annotate(OpenApi.Description, "A user's favorite organizations.")
  .add(
    HttpApiEndpoint.post("add", "/favorite/addfavorite", {
      payload: WireFavoriteDraft,
      success: WireFavorite.pipe(HttpApiSchema.status(201)),
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Add a favorite")
      .annotate(OpenApi.Description, "For users. In an authenticated organization the user is linked."),
    HttpApiEndpoint.get("list", "/favorite/:userId", {
      params: { userId: Schema.String },
      success: [Schema.Array(WireOrganization), EmptyList],
      error: [Refusals.badRequest, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "List favorite organizations")
      .annotate(OpenApi.Description, "For that user alone. 204 when there is none."),
    HttpApiEndpoint.post("remove", "/favorite/removefavorite", {
      payload: WireFavoriteDraft,
      success: HttpApiSchema.Empty(205),
      error: [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Remove a favorite")
      .annotate(OpenApi.Description, "For users.")
  )
  .middleware(WellFormed)
  .middleware(Users) {}

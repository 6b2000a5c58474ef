import { type FavoriteDraft, Favorites, type OrganizationId, type OrgAuthServerId, type UserId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentUser, SojournApi } from "../api/index.ts"
import { BadRequest } from "../api/refusals.ts"
import { listed } from "./listed.ts"
import { toWireOrganization } from "./organization.ts"
import { refuse } from "./refuse.ts"

const toDraft = (payload: {
  readonly organizationId: OrganizationId
  readonly userId?: string | null | undefined
  readonly orgAuthServerId?: string | null | undefined
}): FavoriteDraft => ({
  organizationId: payload.organizationId,
  userId: (payload.userId ?? undefined) as UserId | undefined,
  orgAuthServerId: (payload.orgAuthServerId ?? undefined) as OrgAuthServerId | undefined
})

export const layerFavorite = HttpApiBuilder.group(
  SojournApi,
  "favorite",
  Effect.fnUntraced(function* (handlers) {
    const favorites = yield* Favorites
    return handlers
      .handle("add", ({ payload }) =>
        Effect.flatMap(CurrentUser, (user) => favorites.add(user, toDraft(payload))).pipe(
          Effect.map(({ favorite, organization }) => ({ ...favorite, organization: toWireOrganization(organization) })),
          refuse()
        )
      )
      .handle("list", ({ params }) =>
        Effect.flatMap(CurrentUser, (user) => favorites.list(user, params.userId as UserId)).pipe(
          listed(toWireOrganization),
          // "The supplied userId is incorrect" (interface, section 7).
          refuse({ FavoritesOfAnother: BadRequest })
        )
      )
      .handle("remove", ({ payload }) =>
        Effect.flatMap(CurrentUser, (user) => favorites.remove(user, toDraft(payload))).pipe(refuse())
      )
  })
)

import { type AdministratorId, DeletionRequests, type Organization, Organizations } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentAdministrator, CurrentCaller, CurrentUser, SojournApi } from "../api/index.ts"
import { WireOrganization } from "../wire/organization.ts"
import { makeListedInPages } from "./listedInPages.ts"
import { refuse } from "./refuse.ts"

/** An organization as it is answered. What the operator set is not part of it. */
export const toWireOrganization = (organization: Organization) => {
  const { authenticationServer, trackingArea, maxArea: _, ...rest } = organization
  return { ...rest, trackingArea: trackingArea.text, authenticationServerURL: authenticationServer?.text }
}

export const layerOrganization = HttpApiBuilder.group(
  SojournApi,
  "organization",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    const listed = makeListedInPages(WireOrganization, toWireOrganization)
    const deletionRequests = yield* DeletionRequests
    return handlers
      .handle("get", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => organizations.get(caller, params.organizationId)).pipe(
          Effect.map(toWireOrganization),
          refuse()
        )
      )
      .handle("list", () =>
        Effect.flatMap(CurrentUser, (user) => listed((after) => organizations.list(user, after))).pipe(refuse())
      )
      .handle("requestDeletion", ({ payload }) =>
        Effect.flatMap(CurrentAdministrator, (owner) =>
          deletionRequests.request(owner, {
            organizationId: payload.organizationId,
            reason: payload.requestReason ?? undefined,
            administratorId: (payload.administratorId ?? undefined) as AdministratorId | undefined
          })
        ).pipe(Effect.asVoid, refuse())
      )
      .handle("edit", ({ payload }) => {
        const { id, organizationId, ...edit } = payload
        return Effect.flatMap(CurrentAdministrator, (owner) =>
          organizations.edit(owner, (id ?? organizationId)!, edit)
        ).pipe(Effect.map(toWireOrganization), refuse())
      })
      .handle("editTrackingArea", ({ params, payload }) =>
        Effect.flatMap(CurrentAdministrator, (manager) =>
          organizations.editTrackingArea(manager, params.organizationId, payload.trackingArea)
        ).pipe(Effect.map(toWireOrganization), refuse())
      )
  })
)

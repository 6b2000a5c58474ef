/** Answers the endpoints for organizations (spec: organizations#organizations). */
import {
  type AdministratorId,
  type DeletionRequest,
  DeletionRequests,
  type Organization,
  Organizations
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OrganizationGroup } from "../../api/organizations/organization.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { WireOrganization } from "../../wire/organizations/organization.ts"
import { makeListedInPages } from "./listedInPages.ts"
import { refuse } from "../shared/refuse.ts"

/** An organization as it is answered. What the operator set is not part of it. */
export const toWireOrganization = (organization: Organization) => {
  const { authenticationServer, trackingArea, maxArea: _, ...rest } = organization
  return { ...rest, trackingArea: trackingArea.text, authenticationServerURL: authenticationServer?.text }
}

/** A deletion request as it is answered. */
export const toWireDeletionRequest = <Request extends DeletionRequest>({ reason, ...rest }: Request) => ({
  ...rest,
  requestReason: reason
})

export const organizationHandlers = Effect.gen(function* () {
  const organizations = yield* Organizations
  const deletionRequests = yield* DeletionRequests
  const listed = makeListedInPages(WireOrganization, toWireOrganization)
  const handlers: GroupHandlers<typeof OrganizationGroup> = {
    get: ({ caller, params }) =>
      organizations.get(caller, params.organizationId).pipe(Effect.map(toWireOrganization), refuse()),
    list: ({ caller }) => listed((after) => organizations.list(caller, after)).pipe(refuse()),
    requestDeletion: ({ caller, payload }) =>
      deletionRequests
        .request(caller, {
          organizationId: payload.organizationId,
          reason: payload.requestReason ?? undefined,
          administratorId: (payload.administratorId ?? undefined) as AdministratorId | undefined
        })
        .pipe(Effect.asVoid, refuse()),
    getDeletionRequest: ({ caller, params }) =>
      deletionRequests
        .pending(caller, params.organizationId)
        .pipe(Effect.map(Option.match({ onNone: () => undefined, onSome: toWireDeletionRequest })), refuse()),
    edit: ({ caller, payload: { id, organizationId, ...edit } }) =>
      organizations.edit(caller, (id ?? organizationId)!, edit).pipe(Effect.map(toWireOrganization), refuse()),
    editTrackingArea: ({ caller, params, payload }) =>
      organizations
        .editTrackingArea(caller, params.organizationId, payload.trackingArea)
        .pipe(Effect.map(toWireOrganization), refuse())
  }
  return handlers
})

import {
  decideDeletion,
  deletionDecided,
  deletionRequested,
  DeletionRequestOrder,
  type DeletionRequestId,
  DeletionRequestNotFound,
  type DeletionRequestStore,
  type OrganizationId,
  type PendingDeletionRequest,
  recorded,
  requestsInOwnName
} from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { atomically, recording } from "../state/atomically.ts"
import { forgetDevice } from "../devices/DeviceStore.ts"
import { findOrganization, requireLevelIn, type State } from "../state/State.ts"

const deleteOrganization = (state: State, organizationId: OrganizationId): void => {
  const organization = state.organizations.get(organizationId)
  if (organization === undefined) return
  for (const placeId of organization.places.keys()) state.organizationByPlace.delete(placeId)
  for (const musterId of organization.musters.keys()) state.organizationByMuster.delete(musterId)
  for (const record of organization.devices.values()) forgetDevice(state, record)
  for (const own of state.favorites.values()) own.delete(organizationId)
  state.organizationByName.delete(organization.data.name)
  state.organizations.delete(organizationId)
}

const findPending = (state: State, organizationId: OrganizationId) =>
  [...state.deletionRequests.values()].find(
    (request) => request.organizationId === organizationId && request.status === "pending"
  )

/** Requests of deletion kept in memory. */
export const makeDeletionRequestStore = (state: State): DeletionRequestStore["Service"] => ({
  request: ({ organizationId, administratorId, named, reason, now }) =>
    recording(state, function* () {
      const organization = yield* findOrganization(state, organizationId)
      yield* requireLevelIn(organization, administratorId, "owner")
      yield* requestsInOwnName(administratorId, named)
      const pending = findPending(state, organizationId)
      if (pending !== undefined) return recorded(pending, undefined)
      const id = ++state.lastId.deletionRequest as DeletionRequestId
      const request: PendingDeletionRequest = {
        id,
        organizationId,
        administratorId,
        reason,
        creationDate: now,
        status: "pending"
      }
      state.deletionRequests.set(id, request)
      return recorded(request, deletionRequested(request))
    }),

  pending: ({ organizationId, administratorId }) =>
    atomically(function* () {
      yield* requireLevelIn(yield* findOrganization(state, organizationId), administratorId, "owner")
      return Option.fromUndefinedOr(findPending(state, organizationId))
    }),

  conclude: ({ id, verdict, decidedBy, now }) =>
    recording(state, function* () {
      const request = state.deletionRequests.get(id)
      if (request === undefined) return yield* Result.fail(new DeletionRequestNotFound({ id }))
      const decided = yield* decideDeletion(request, verdict, { decidedBy, decisionDate: now })
      state.deletionRequests.set(id, decided)
      if (verdict === "approved") deleteOrganization(state, request.organizationId)
      return recorded(decided, deletionDecided(decided))
    }),

  list: (status) =>
    Effect.sync(() =>
      [...state.deletionRequests.values()]
        .filter((request) => Option.isNone(status) || request.status === status.value)
        .sort(DeletionRequestOrder)
    )
})

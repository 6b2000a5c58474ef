/** The reference model of deletion requests: the expected outcome of each command. */
import type { Decide, ListDeletionRequests, RequestDeletion } from "../commands.ts"
import { done, listed, type Outcome, refused } from "../outcomes.ts"
import { findOrganization, holds, isOpen, mark, type ModelRequest, withGone, type World } from "../World.ts"

/** At most one request is pending per organization (spec: organizations#deletion-pending). */
export const requestDeletion = (world: World, command: RequestDeletion): Outcome => {
  const organization = findOrganization(world, command.organization)
  if (organization === undefined) return refused("OrganizationNotFound")
  const { by } = command
  if (by.kind !== "administrator" || !holds(organization, by, "owner")) return refused("PermissionTooLow")
  if (command.administrator !== undefined && command.administrator !== by.id) return refused("DeletionRequestOfAnother")
  const earlier = world.requests.filter((request) => request.organization === organization.label)
  if (earlier.some((request) => request.status === "pending")) {
    mark(world, "deletion requested twice")
    return done()
  }
  if (earlier.length > 0) mark(world, "deletion requested after a rejection")
  const request: ModelRequest = {
    organization: organization.label,
    administrator: by.id,
    reason: command.reason,
    status: "pending",
    created: world.now
  }
  world.requests = [...world.requests, request]
  return done()
}

/** Approval deletes the organization with all that it owns; its tokens are unknown from then on. */
const erase = (world: World, label: string): void => {
  if (world.stays.some((stay) => stay.organization === label && isOpen(stay))) {
    mark(world, "approval with people inside")
  }
  world.organizations = world.organizations.filter((organization) => organization.label !== label)
  world.favorites = world.favorites.filter((favorite) => favorite.organization !== label)
  world.musters = world.musters.filter((muster) => muster.organization !== label)
  world.webhooks = world.webhooks.filter((webhook) => webhook.organization !== label)
  world.stays = withGone(world, ({ organization }) => organization === label)
}

export const decide = (world: World, { by, organization, nth, verdict }: Decide): Outcome => {
  const request = world.requests.filter((one) => one.organization === organization)[nth]
  if (request === undefined) return refused("DeletionRequestNotFound")
  if (request.status !== "pending") {
    mark(world, "second decision refused")
    return refused("DeletionRequestDecided")
  }
  const decidedBy = by.kind === "operator" ? by.id : ""
  const decided: ModelRequest = { ...request, status: verdict, decided: world.now, decidedBy }
  world.requests = world.requests.map((one) => (one === request ? decided : one))
  if (verdict === "approved") erase(world, organization)
  return done()
}

export const listDeletionRequests = (world: World, { status }: ListDeletionRequests): Outcome =>
  listed(world.requests.filter((request) => status === undefined || request.status === status))

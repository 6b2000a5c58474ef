/** The reference model of webhooks: who may do what with them, and which events their deliveries are of. */
import type { CreateWebhook, Deliver, EnableWebhook, ListWebhooks, RemoveWebhook, Who } from "../commands.ts"
import { done, listed, type Outcome, refused } from "../outcomes.ts"
import { findOrganization, holds, mark, type ModelWebhook, type World } from "../World.ts"

const MOST = 10

/** How long a server holds a webhook without asking again, in milliseconds. */
export const LEASE = 10_000

const idOf = (by: Who): string => (by.kind === "administrator" ? by.id : "")

/** A webhook as it is answered when it is created, and as it is listed. */
const created = ({ label: webhook, organization, url, types, state, createdBy }: ModelWebhook) => ({
  webhook,
  organization,
  url,
  types,
  state,
  createdBy
})
const answer = (webhook: ModelWebhook) => ({
  ...created(webhook),
  delivered: webhook.delivered,
  failedAt: webhook.failedAt
})

const change = (world: World, webhook: ModelWebhook): void => {
  world.webhooks = world.webhooks.map((one) => (one.label === webhook.label ? webhook : one))
}

/** The organization of which the caller lists webhooks or creates one. */
const owned = (world: World, { by, organization: label }: { readonly by: Who; readonly organization: string }) => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  return holds(organization, by, "owner") ? organization : refused("PermissionTooLow")
}

/** The webhook that the caller may change. */
const found = (world: World, { by, webhook: label }: { readonly by: Who; readonly webhook: string }) => {
  const webhook = world.webhooks.find((one) => one.label === label)
  const organization = webhook === undefined ? undefined : findOrganization(world, webhook.organization)
  if (webhook === undefined || organization === undefined) return refused("WebhookNotFound")
  return holds(organization, by, "owner") ? webhook : refused("PermissionTooLow")
}

export const createWebhook = (world: World, command: CreateWebhook): Outcome => {
  const organization = owned(world, command)
  if ("names" in organization) return organization
  const { webhook: label, url, types = ["capacity", "place", "organization", "muster"] } = command
  if (!url.startsWith("https://")) return refused("WebhookUrlRefused")
  const earlier = world.webhooks.filter((webhook) => webhook.organization === organization.label)
  if (earlier.length >= MOST) {
    mark(world, "one webhook too many refused")
    return refused("TooManyWebhooks")
  }
  const handled = world.feeds.get(organization.label)?.length ?? 0
  const createdBy = idOf(command.by)
  const webhook: ModelWebhook = {
    label,
    organization: organization.label,
    url,
    types,
    state: "active",
    createdBy,
    handled
  }
  world.webhooks = [...world.webhooks, webhook]
  return done(created(webhook))
}

export const listWebhooks = (world: World, command: ListWebhooks): Outcome => {
  const organization = owned(world, command)
  if ("names" in organization) return organization
  return listed(world.webhooks.filter((webhook) => webhook.organization === organization.label).map(answer))
}

export const removeWebhook = (world: World, command: RemoveWebhook): Outcome => {
  const webhook = found(world, command)
  if ("names" in webhook) return webhook
  world.webhooks = world.webhooks.filter((one) => one !== webhook)
  return done()
}

export const enableWebhook = (world: World, command: EnableWebhook): Outcome => {
  const webhook = found(world, command)
  if ("names" in webhook) return webhook
  if (webhook.state === "active") return done(answer(webhook))
  mark(world, `${webhook.state} webhook enabled`)
  const createdBy = webhook.state === "disabled" ? idOf(command.by) : webhook.createdBy
  if (createdBy !== webhook.createdBy) mark(world, "webhook of another administrator taken over")
  const enabled: ModelWebhook = { ...webhook, state: "active", createdBy, lease: undefined }
  change(world, enabled)
  return done(answer(enabled))
}

/** The webhooks of an administrator who is no owner of their organization any more are disabled. */
export const disableWebhooksOf = (world: World, organization: string, administrator: string): void => {
  world.webhooks = world.webhooks.map((webhook) => {
    if (webhook.organization !== organization || webhook.createdBy !== administrator) return webhook
    mark(world, "webhook disabled with its owner's level")
    return { ...webhook, state: "disabled", failedAt: world.now, lease: undefined }
  })
}

/** A server holds what no other server does, and delivers every event after those that were handled. */
export const deliver = (world: World, { server, outcome }: Deliver): Outcome => {
  const isHeld = ({ lease }: ModelWebhook) => lease === undefined || lease.server === server || lease.until <= world.now
  const running = world.webhooks.filter(({ state }) => state !== "disabled")
  const held = running.filter(isHeld)
  if (held.length < running.length) mark(world, "webhook of another server left alone")
  const deliveries = held.map((webhook) => {
    const { label, organization, types, handled, delivered } = webhook
    const events = world.feeds.get(organization) ?? []
    const asked = events.flatMap((event, index) =>
      index >= handled && types.includes(event.type) ? [{ ...event, version: index + 1 }] : []
    )
    const leased = { ...webhook, lease: { server, until: world.now + LEASE } }
    if (asked.length > 0) mark(world, `events of a webhook: ${outcome}`)
    if (asked.length === 0) change(world, { ...leased, handled: events.length })
    else if (outcome === "delivered") {
      const last = asked.at(-1)?.version ?? delivered
      change(world, { ...leased, handled: events.length, delivered: last, state: "active" })
    } else change(world, { ...leased, failedAt: world.now, state: outcome === "gone" ? "disabled" : "failing" })
    return { webhook: label, events: asked }
  })
  return listed(deliveries)
}

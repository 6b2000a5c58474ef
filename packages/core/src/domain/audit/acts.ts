/** The acts of administrators and operators: the names of actions, and what an entry shows of each (spec: audit#actions). */
import type { Caller } from "../accounts/Caller.ts"
import type { Capacity } from "../feed/Capacity.ts"
import type { Device } from "../devices/Device.ts"
import type { DecidedDeletionRequest, DeletionRequest } from "../organizations/DeletionRequest.ts"
import type { FloorPlan } from "../floorplans/FloorPlan.ts"
import type { Marking, Muster } from "../musters/Muster.ts"
import type { Organization } from "../organizations/Organization.ts"
import type { Permission } from "../accounts/Permission.ts"
import type { Place } from "../organizations/Place.ts"
import type { Premises } from "../shared/Premises.ts"
import type { StayPolicy } from "../policies/StayPolicy.ts"
import type { AdministratorId, OrganizationId, OrgAuthServerId } from "../shared/Ids.ts"
import type { Webhook } from "../webhooks/Webhook.ts"
import { type Act, personAsked } from "./AuditEntry.ts"
import { changesBetween, type Fields } from "./changes.ts"

/** Nothing was there before. */
const NOTHING: Fields = {}

/** The act of a change that changed something; none otherwise. */
const ifChanged = (act: Omit<Act, "changes">, before: Fields, after: Fields): Act | undefined => {
  const changes = changesBetween(before, after)
  return changes && { ...act, changes }
}

const organizationFields = ({
  authenticationServer,
  id: _id,
  creationDate: _creationDate,
  lastChangeDate: _lastChangeDate,
  ...fields
}: Organization): Fields => ({ ...fields, authenticationServerURL: authenticationServer?.text })

const ofOrganization = (action: string, organizationId: OrganizationId) => ({
  action,
  organizationId,
  target: { kind: "organization", id: `${organizationId}` }
})

export const organizationCreated = (organization: Organization): Act => ({
  ...ofOrganization("organization.create", organization.id),
  changes: changesBetween(NOTHING, organizationFields(organization))
})

export const organizationUpdated = (before: Organization, after: Organization): Act | undefined =>
  ifChanged(ofOrganization("organization.update", after.id), organizationFields(before), organizationFields(after))

const placeFields = ({ id: _id, organizationId: _organizationId, ...fields }: Place): Fields => ({ ...fields })

const ofPlace = (action: string, { id: placeId, organizationId }: Pick<Place, "id" | "organizationId">) => ({
  action,
  organizationId,
  placeId,
  target: { kind: "place", id: `${placeId}` }
})

export const placeCreated = (place: Place): Act => ({
  ...ofPlace("place.create", place),
  changes: changesBetween(NOTHING, placeFields(place))
})

export const placeUpdated = (before: Place, after: Place): Act | undefined =>
  ifChanged(ofPlace("place.update", after), placeFields(before), placeFields(after))

export const placeRemoved = (place: Pick<Place, "id" | "organizationId">): Act => ofPlace("place.remove", place)

/** The act on an administrator's permission. A mail address, and the person that the administrator is, are left out. */
const ofPermission = (action: string, { organizationId, administratorId }: Permission) => ({
  action,
  organizationId,
  target: { kind: "administrator", id: administratorId }
})

export const permissionCreated = (permission: Permission): Act => ({
  ...ofPermission("permission.create", permission),
  changes: changesBetween(NOTHING, { permission: permission.level })
})

export const permissionUpdated = (before: Permission, after: Permission): Act | undefined =>
  ifChanged(ofPermission("permission.update", after), { permission: before.level }, { permission: after.level })

export const permissionRemoved = (permission: Permission): Act => ({
  ...ofPermission("permission.remove", permission),
  changes: changesBetween({ permission: permission.level }, NOTHING)
})

export const administratorRegistered = (administratorId: AdministratorId): Act => ({
  action: "administrator.create",
  target: { kind: "administrator", id: administratorId }
})

/** Places were created together, or accesses of another system were added: so many of them. */
export const imported = (organizationId: OrganizationId, kind: "places" | "accesses", count: number): Act | undefined =>
  count === 0
    ? undefined
    : { ...ofOrganization("import", organizationId), changes: changesBetween(NOTHING, { [kind]: count }) }

/** All tokens of a caller that were issued before a moment are refused from now on. */
export const tokensRevoked = (caller: Caller): Act => {
  const action = "token.revoke"
  switch (caller._tag) {
    case "User":
      return { action, target: { kind: "user", id: caller.userId } }
    case "Administrator":
      return { action, target: { kind: "administrator", id: caller.administratorId } }
    case "Operator":
      return { action, target: { kind: "operator", id: caller.operatorId } }
  }
}

const ofDeletionRequest = (action: string, { id, organizationId }: Pick<DeletionRequest, "id" | "organizationId">) => ({
  action,
  organizationId,
  target: { kind: "deletionRequest", id: `${id}` }
})

export const deletionRequested = (request: DeletionRequest): Act => ofDeletionRequest("deletionRequest.create", request)

export const deletionDecided = (request: DecidedDeletionRequest): Act =>
  ofDeletionRequest(request.status === "approved" ? "deletionRequest.approve" : "deletionRequest.reject", request)

export const policyUpdated = (organizationId: OrganizationId, before: StayPolicy, after: StayPolicy) =>
  ifChanged(ofOrganization("policy.update", organizationId), { ...before }, { ...after })

const ofPremises = (action: string, organizationId: OrganizationId, premises: Premises) =>
  premises._tag === "PlacePremises"
    ? ofPlace(action, { organizationId, id: premises.placeId })
    : ofOrganization(action, organizationId)

export const capacityUpdated = (
  organizationId: OrganizationId,
  premises: Premises,
  before: Capacity | undefined,
  after: Capacity | undefined
) => ifChanged(ofPremises("capacity.update", organizationId, premises), { ...before }, { ...after })

export const countedCorrected = (organizationId: OrganizationId, premises: Premises, before: number, after: number) =>
  ifChanged(ofPremises("counted.correct", organizationId, premises), { counted: before }, { counted: after })

/** Open stays of people were ended as accesses: those of one person who was asked for, or of several. */
export const staysEnded = (
  organizationId: OrganizationId,
  premises: Premises,
  asked: ReadonlyArray<OrgAuthServerId>,
  count: number
): Act | undefined => {
  if (count === 0) return undefined
  const act = ofPremises("stay.end", organizationId, premises)
  return { ...act, target: personAsked(asked) ?? act.target, count }
}

/** All open stays were abandoned, and the people counted taken off. */
export const premisesCleared = (organizationId: OrganizationId, premises: Premises): Act =>
  ofPremises("stay.clear", organizationId, premises)

const ofDevice = (action: string, { id, organizationId }: Pick<Device, "id" | "organizationId">) => ({
  action,
  organizationId,
  target: { kind: "device", id: `${id}` }
})

export const deviceCreated = (device: Device): Act => ({
  ...ofDevice("device.create", device),
  changes: changesBetween(NOTHING, {
    name: device.name,
    kind: device.kind === "display" ? device.kind : undefined,
    premises: device.premises.map((one) => (one._tag === "PlacePremises" ? `${one.placeId}` : "organization")).join()
  })
})

/** Another token was made. */
export const deviceTokenMade = (device: Pick<Device, "id" | "organizationId">): Act => ofDevice("device.token", device)

export const deviceRemoved = (device: Pick<Device, "id" | "organizationId">): Act => ofDevice("device.remove", device)

const ofFloorPlan = (action: string, { organizationId, level }: Pick<FloorPlan, "organizationId" | "level">) => ({
  action,
  organizationId,
  target: { kind: "floorPlan", id: `${level}` }
})

export const floorPlanUpdated = (plan: FloorPlan): Act => ofFloorPlan("floorPlan.update", plan)

export const floorPlanRemoved = (plan: Pick<FloorPlan, "organizationId" | "level">): Act =>
  ofFloorPlan("floorPlan.remove", plan)

const ofMuster = (action: string, { id, organizationId }: Pick<Muster, "id" | "organizationId">) => ({
  action,
  organizationId,
  target: { kind: "muster", id: `${id}` }
})

export const musterStarted = (muster: Pick<Muster, "id" | "organizationId" | "kind">): Act => ({
  ...ofMuster("muster.start", muster),
  changes: changesBetween(NOTHING, { kind: muster.kind })
})

/** People were marked or unmarked, counted, or a place was searched. */
export const musterMarked = (muster: Pick<Muster, "id" | "organizationId">, marking: Marking): Act => {
  switch (marking._tag) {
    case "MarkPeople":
      return { ...ofMuster("muster.safe", muster), count: new Set(marking.people).size }
    case "UnmarkPeople":
      return { ...ofMuster("muster.missing", muster), count: new Set(marking.people).size }
    case "MarkCount":
      return { ...ofMuster("muster.safe", muster), count: marking.count }
    case "MarkSwept":
      return {
        ...ofMuster("muster.swept", muster),
        placeId: marking.placeId,
        changes: changesBetween({ swept: !marking.isSwept }, { swept: marking.isSwept })
      }
  }
}

export const musterEnded = (muster: Pick<Muster, "id" | "organizationId">): Act => ofMuster("muster.end", muster)

const ofWebhook = (action: string, { webhookId, organizationId }: Pick<Webhook, "webhookId" | "organizationId">) => ({
  action,
  organizationId,
  target: { kind: "webhook", id: `${webhookId}` }
})

/** The address is left out: it may hold a secret of the receiver. */
export const webhookCreated = (webhook: Webhook): Act => ({
  ...ofWebhook("webhook.create", webhook),
  changes: changesBetween(NOTHING, { types: webhook.types.join() })
})

export const webhookRemoved = (webhook: Webhook): Act => ofWebhook("webhook.remove", webhook)

/** What an owner may have done to a webhook that is there. */
export type WebhookAction = "webhook.enable" | "webhook.secret" | "webhook.replay" | "webhook.test"

export const webhookChanged = (action: WebhookAction, webhook: Webhook): Act => ofWebhook(action, webhook)

/** Something that a policy of an organization did by itself. */
export const policyActed = (policy: keyof StayPolicy, action: string, organizationId: OrganizationId): Act => ({
  ...ofOrganization(action, organizationId),
  author: { actor: { kind: "policy", id: policy } }
})

/** A sweep abandoned open stays that were overdue. */
export const overdueAbandoned = (organizationId: OrganizationId): Act =>
  policyActed("longestStay", "stay.abandon", organizationId)

/** A sweep removed accesses past their retention. */
export const accessesForgotten = (organizationId: OrganizationId): Act =>
  policyActed("retention", "access.forget", organizationId)

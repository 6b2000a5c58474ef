import {
  type AuthenticatedAccess,
  type DeletionRequest,
  type Organization,
  OrganizationPremises,
  type Permission,
  type Place,
  type PlaceId,
  PlacePremises,
  type Premises,
  type PresenceEvent,
  premisesId
} from "@sojourn/core"
import { type Directory, serverName } from "../Driver.ts"
import type { Names } from "../Names.ts"
import { premisesName } from "../World.ts"

/** Translates answers of the use cases to the model's terms: labels instead of ids. */
export const makeAnswers = (names: Names, directory: Directory) => {
  const premises = (one: Premises) =>
    names.at(one._tag === "OrganizationPremises" ? "organization" : "place", premisesId(one))
  return {
    premises,
    organization: (one: Organization) => ({
      organization: names.label("organization", one.id),
      title: one.name,
      description: one.description,
      mode: one.trackingMode,
      server: serverName(directory, one.authenticationServer?.text),
      area: one.trackingArea.text,
      created: one.creationDate,
      changed: one.lastChangeDate
    }),
    place: (one: Place) => ({
      place: names.label("place", one.id),
      organization: names.label("organization", one.organizationId),
      title: names.placeTitle(one.id, one.name),
      area: one.trackingArea.text
    }),
    permission: (one: Permission) => ({
      administrator: names.administrator(one.administratorId, one.mail),
      organization: names.label("organization", one.organizationId),
      level: one.level,
      mail: one.mail,
      person: one.orgAuthServerId,
      nominatedBy: one.nominatedBy
    }),
    deletionRequest: (one: DeletionRequest) => ({
      organization: names.label("organization", one.organizationId),
      administrator: one.administratorId,
      reason: one.reason,
      status: one.status,
      created: one.creationDate,
      ...(one.status === "pending" ? {} : { decided: one.decisionDate, decidedBy: one.decidedBy })
    }),
    event: (event: PresenceEvent) => {
      const { at, organizationId } = event
      const of = (placeId: PlaceId | undefined) =>
        premisesName(premises(placeId === undefined ? OrganizationPremises(organizationId) : PlacePremises(placeId)))
      switch (event._tag) {
        case "PresenceChanged": {
          const { placeId, entered, left, inside } = event
          return { type: "presence", at, premises: of(placeId), entered, left, inside }
        }
        case "CapacityChanged": {
          const { placeId, level, inside, capacity } = event
          return { type: "capacity", at, premises: of(placeId), level, inside, capacity }
        }
        case "PlaceChanged":
          return { type: "place", at, premises: of(event.placeId), became: event.changed }
        case "OrganizationChanged":
          return { type: "organization", at, became: event.changed }
        case "MusterChanged":
          return { type: "muster", at, muster: names.label("muster", event.musterId), became: event.state }
        case "DeviceChanged":
          return { type: "device", at, became: event.state }
      }
    },
    access: ({
      stay,
      orgAuthServerId
    }: {
      readonly stay: AuthenticatedAccess["stay"]
      readonly orgAuthServerId?: string
    }) => ({ at: premises(stay.premises), entrance: stay.entrance, exit: stay.exit, person: orgAuthServerId })
  }
}

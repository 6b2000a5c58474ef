/** Answers the endpoints for the data that the service holds about a person (contract, section 9). */
import {
  AdministratorSubject,
  type DataSubject,
  MailSubject,
  OperatorSubject,
  PersonalData,
  type PersonalDataExport,
  PersonSubject,
  type Premises,
  UserSubject
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { PersonalDataGroup } from "../api/personalData.ts"
import { Admission } from "../pipeline/admission.ts"
import type { GroupHandlers } from "../pipeline/endpoint.ts"
import type { WireDataSubject, WirePersonalData } from "../wire/personalData.ts"
import { listed } from "./listed.ts"
import { refuse } from "./refuse.ts"

/** The shape has one of its forms: another is a bug of the shape's. */
const toSubject = (body: typeof WireDataSubject.Type): DataSubject => {
  const { userId, organizationId, orgAuthServerId, administratorId, mail, operatorId } = body
  if (userId != null) return UserSubject(userId)
  if (administratorId != null) return AdministratorSubject(administratorId)
  if (mail != null) return MailSubject(mail)
  if (operatorId != null) return OperatorSubject(operatorId)
  if (organizationId != null && orgAuthServerId != null) return PersonSubject(organizationId, orgAuthServerId)
  throw new TypeError("a data subject of no form")
}

const fromSubject = ({ _tag, ...names }: DataSubject): typeof WireDataSubject.Type => names

interface Somewhere {
  readonly premises: Premises
}

/** Of what happened somewhere: that of organizations, and that of places, in the shapes that each has. */
const apart = <Item extends Somewhere, Wire>(items: ReadonlyArray<Item>, toWire: (item: Item) => Wire) => {
  const ofOrganizations = items.flatMap((item) =>
    item.premises._tag === "OrganizationPremises"
      ? [{ organizationId: item.premises.organizationId, ...toWire(item) }]
      : []
  )
  const ofPlaces = items.flatMap((item) =>
    item.premises._tag === "PlacePremises" ? [{ placeId: item.premises.placeId, ...toWire(item) }] : []
  )
  return [ofOrganizations, ofPlaces] as const
}

/** Stays of people alone are collected, so that each has its person. */
const personOf = ({ orgAuthServerId }: { readonly orgAuthServerId?: string | undefined }) => orgAuthServerId ?? ""

const toWire = ({ subject, exportDate, data }: PersonalDataExport): typeof WirePersonalData.Type => {
  const [organizationAccesses, placeAccesses] = apart(data.accesses, (stay) => ({
    id: stay.id,
    entranceTimestamp: stay.entrance,
    exitTimestamp: stay.exit,
    orgAuthServerId: personOf(stay)
  }))
  const [openOrganizationStays, openPlaceStays] = apart(data.openStays, (stay) => ({
    id: stay.id,
    entranceTimestamp: stay.entrance,
    recordedTimestamp: stay.recordedAt,
    orgAuthServerId: personOf(stay)
  }))
  const [retriedOrganizationEntrances, retriedPlaceEntrances] = apart(data.retriedEntrances, (retried) => ({
    orgAuthServerId: retried.orgAuthServerId,
    entranceTimestamp: retried.entrance,
    usedTimestamp: retried.usedAt
  }))
  const { accountLinks, favorites, musterEntries, accounts, deletionDecisions, createdWebhooks } = data
  return {
    subject: fromSubject(subject),
    exportDate,
    accountLinks,
    favorites,
    organizationAccesses,
    placeAccesses,
    openOrganizationStays,
    openPlaceStays,
    retriedOrganizationEntrances,
    retriedPlaceEntrances,
    musterEntries,
    accounts,
    permissions: data.permissions.map(({ level, ...permission }) => ({ ...permission, permission: level })),
    nominations: data.nominations.map(({ level, organizationId }) => ({ organizationId, permission: level })),
    // Who decided is another's.
    deletionRequests: data.deletionRequests.map(({ reason, ...request }) => ({ ...request, requestReason: reason })),
    deletionDecisions,
    startedMusters: data.startedMusters.map(({ id, ...muster }) => ({ musterId: id, ...muster })),
    createdWebhooks
  }
}

export const personalDataHandlers = Effect.gen(function* () {
  const personalData = yield* PersonalData
  const { forget } = yield* Admission
  const handlers: GroupHandlers<typeof PersonalDataGroup> = {
    export: ({ caller, payload }) => personalData.export(caller, toSubject(payload)).pipe(Effect.map(toWire), refuse()),
    erase: ({ caller, payload }) =>
      personalData.erase(caller, toSubject(payload)).pipe(
        Effect.tap(() => forget),
        refuse()
      ),
    erasures: ({ caller, params }) =>
      personalData.erasures(caller, params.organizationId).pipe(
        listed((entry) => entry),
        refuse()
      )
  }
  return handlers
})

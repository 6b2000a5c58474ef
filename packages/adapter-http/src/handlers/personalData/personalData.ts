/** Answers the endpoints for the data that the service holds about a person (spec: personal-data#whole-subject). */
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
import * as Schema from "effect/Schema"
import type { PersonalDataGroup } from "../../api/personalData/personalData.ts"
import { Admission } from "../../pipeline/admission.ts"
import { type GroupHandlers, RawBody } from "../../pipeline/endpoint.ts"
import { compileJsonEncoder } from "../../wire/shared/jsonEncoder.ts"
import { type WireDataSubject, WirePersonalData } from "../../wire/personalData/personalData.ts"
import { type ListMember, objectInPortions } from "../shared/inPortions.ts"
import { listed } from "../shared/listed.ts"
import { refuse } from "../shared/refuse.ts"

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

/** Of what happened somewhere: that of organizations, and that of places. */
const apart = <Item extends Somewhere>(items: ReadonlyArray<Item>) =>
  [
    items.filter(({ premises }) => premises._tag === "OrganizationPremises"),
    items.filter(({ premises }) => premises._tag === "PlacePremises")
  ] as const

/** Items of organizations and of places are in lists of their own, so that each has its premises. */
const organizationOf = ({ premises }: Somewhere) => {
  if (premises._tag === "OrganizationPremises") return { organizationId: premises.organizationId }
  throw new TypeError("not in an organization")
}

const placeOf = ({ premises }: Somewhere) => {
  if (premises._tag === "PlacePremises") return { placeId: premises.placeId }
  throw new TypeError("not in a place")
}

/** Stays of people alone are collected, so that each has its person. */
const personOf = ({ orgAuthServerId }: { readonly orgAuthServerId?: string | undefined }) => orgAuthServerId ?? ""

const { subject: _subject, exportDate: _exportDate, ...LISTS } = WirePersonalData.fields
type Lists = typeof LISTS
type Name = keyof Lists

const encodeHead = compileJsonEncoder(Schema.Struct({ subject: _subject, exportDate: _exportDate }))
const encoders = Object.fromEntries(
  Object.entries(LISTS).map(([name, { value }]) => [name, compileJsonEncoder(value)])
) as { readonly [N in Name]: (item: Lists[N]["Type"][number]) => string }

/** A list of the document: its items are converted and encoded as they are written. */
const list = <N extends Name, Item>(
  name: N,
  items: ReadonlyArray<Item>,
  toWire: (item: Item) => Lists[N]["Type"][number]
): ListMember<any> => ({ name, items, write: (item: Item) => encoders[name](toWire(item)) })

const same = <Item>(item: Item): Item => item

/** The document, with its lists in the order of its schema. */
const toBody = ({ subject, exportDate, data }: PersonalDataExport): RawBody => {
  const [organizationAccesses, placeAccesses] = apart(data.accesses)
  const [openOrganizationStays, openPlaceStays] = apart(data.openStays)
  const [retriedOrganizationEntrances, retriedPlaceEntrances] = apart(data.retriedEntrances)
  const access = (stay: (typeof data.accesses)[number]) => ({
    id: stay.id,
    entranceTimestamp: stay.entrance,
    exitTimestamp: stay.exit,
    orgAuthServerId: personOf(stay)
  })
  const openStay = (stay: (typeof data.openStays)[number]) => ({
    id: stay.id,
    entranceTimestamp: stay.entrance,
    recordedTimestamp: stay.recordedAt,
    orgAuthServerId: personOf(stay)
  })
  const retried = (entrance: (typeof data.retriedEntrances)[number]) => ({
    orgAuthServerId: entrance.orgAuthServerId,
    entranceTimestamp: entrance.entrance,
    usedTimestamp: entrance.usedAt
  })
  const lists = [
    list("accountLinks", data.accountLinks, same),
    list("favorites", data.favorites, same),
    list("organizationAccesses", organizationAccesses, (stay) => ({ ...organizationOf(stay), ...access(stay) })),
    list("placeAccesses", placeAccesses, (stay) => ({ ...placeOf(stay), ...access(stay) })),
    list("openOrganizationStays", openOrganizationStays, (stay) => ({ ...organizationOf(stay), ...openStay(stay) })),
    list("openPlaceStays", openPlaceStays, (stay) => ({ ...placeOf(stay), ...openStay(stay) })),
    list("retriedOrganizationEntrances", retriedOrganizationEntrances, (one) => ({
      ...organizationOf(one),
      ...retried(one)
    })),
    list("retriedPlaceEntrances", retriedPlaceEntrances, (one) => ({ ...placeOf(one), ...retried(one) })),
    list("musterEntries", data.musterEntries, same),
    list("accounts", data.accounts, same),
    list("permissions", data.permissions, ({ level, ...permission }) => ({ ...permission, permission: level })),
    list("nominations", data.nominations, ({ level, organizationId }) => ({ organizationId, permission: level })),
    // Who decided is another's.
    list("deletionRequests", data.deletionRequests, ({ reason, ...request }) => ({
      ...request,
      requestReason: reason
    })),
    list("deletionDecisions", data.deletionDecisions, same),
    list("startedMusters", data.startedMusters, ({ id, ...muster }) => ({ musterId: id, ...muster })),
    list("sweptPlaces", data.sweptPlaces, same),
    list("createdWebhooks", data.createdWebhooks, same),
    list("auditEntries", data.auditEntries, same)
  ]
  return new RawBody(200, objectInPortions(encodeHead({ subject: fromSubject(subject), exportDate }), lists))
}

export const personalDataHandlers = Effect.gen(function* () {
  const personalData = yield* PersonalData
  const { forget } = yield* Admission
  const handlers: GroupHandlers<typeof PersonalDataGroup> = {
    export: ({ caller, payload }) => personalData.export(caller, toSubject(payload)).pipe(Effect.map(toBody), refuse()),
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

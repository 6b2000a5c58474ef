/** Answers the endpoints for lists of who is inside, and for musters. */
import {
  type Marking,
  type Muster,
  MUSTER_CSV_NAMES,
  musterCsvLine,
  type MusterReport,
  Musters,
  OrganizationPremises,
  type PersonInside,
  PlacePremises
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { MusterGroup } from "../../api/musters/muster.ts"
import { type GroupHandlers, RawBody } from "../../pipeline/endpoint.ts"
import { compileJsonEncoder } from "../../wire/shared/jsonEncoder.ts"
import { type WireMarking, WireMusterPerson, WireMusterSummary, WirePersonInside } from "../../wire/musters/muster.ts"
import { CSV_TYPE, prefersCsv } from "../shared/csv.ts"
import { inPortions } from "../shared/inPortions.ts"
import { listed } from "../shared/listed.ts"
import { refuse } from "../shared/refuse.ts"

const summary = ({ id, mode: _, ...muster }: Muster) => ({ musterId: id, ...muster })

const encodeSummary = compileJsonEncoder(WireMusterSummary)
const encodePerson = compileJsonEncoder(WireMusterPerson)
const encodeInside = compileJsonEncoder(WirePersonInside)

const toWire =
  (status: 200 | 201) =>
  ({ people, ...muster }: MusterReport) => {
    if (people === undefined) return summary(muster)
    // The summary as an object that is still open: the people are one more member.
    const before = `${encodeSummary(summary(muster)).slice(0, -1)},"people":[`
    const list = { before, between: ",", items: people, write: encodePerson, isShared: true }
    return new RawBody(status, inPortions([list], "]}", "application/json"))
  }

const listInside = (people: ReadonlyArray<PersonInside>) => {
  if (people.length === 0) return undefined
  const list = { before: "[", between: ",", items: people, write: encodeInside, isShared: true }
  return new RawBody(200, inPortions([list], "]", "application/json"))
}

/** The shape has one of both. */
const markingOf = ({ orgAuthServerIds, count }: typeof WireMarking.Type): Marking =>
  orgAuthServerIds == null ? { _tag: "MarkCount", count: count ?? 0 } : { _tag: "MarkPeople", people: orgAuthServerIds }

const asCsv = ({ people = [] }: MusterReport) => {
  const list = { before: MUSTER_CSV_NAMES, between: "", items: people, write: musterCsvLine, isShared: true }
  return new RawBody(200, inPortions([list], "", CSV_TYPE))
}

export const musterHandlers = Effect.map(Musters, (musters): GroupHandlers<typeof MusterGroup> => ({
  insideOrganization: ({ caller, params: { organizationId } }) =>
    musters.inside(caller, OrganizationPremises(organizationId)).pipe(Effect.map(listInside), refuse()),
  insidePlace: ({ caller, params: { placeId } }) =>
    musters.inside(caller, PlacePremises(placeId)).pipe(Effect.map(listInside), refuse()),
  startMuster: ({ caller, params: { organizationId }, payload: { kind, note } }) =>
    musters.start(caller, { organizationId, kind, note: note ?? undefined }).pipe(Effect.map(toWire(201)), refuse()),
  listMusters: ({ caller, params: { organizationId } }) =>
    musters.list(caller, organizationId).pipe(listed(summary), refuse()),
  readMuster: ({ caller, head, params: { musterId } }) =>
    musters.get(caller, musterId).pipe(
      Effect.map((muster) => (prefersCsv(head.headers["accept"]) ? asCsv(muster) : toWire(200)(muster))),
      refuse()
    ),
  markSafe: ({ caller, params: { musterId }, payload }) =>
    musters.mark(caller, musterId, markingOf(payload)).pipe(Effect.map(toWire(200)), refuse()),
  markMissing: ({ caller, params: { musterId }, payload: { orgAuthServerIds: people } }) =>
    musters.mark(caller, musterId, { _tag: "UnmarkPeople", people }).pipe(Effect.map(toWire(200)), refuse()),
  markSwept: ({ caller, params: { musterId }, payload: { placeId, swept: isSwept } }) =>
    musters.mark(caller, musterId, { _tag: "MarkSwept", placeId, isSwept }).pipe(Effect.map(toWire(200)), refuse()),
  endMuster: ({ caller, params: { musterId } }) => musters.end(caller, musterId).pipe(Effect.map(toWire(200)), refuse())
}))

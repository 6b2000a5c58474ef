import {
  type Marking,
  type Muster,
  musterCsv,
  type MusterReport,
  Musters,
  OrganizationPremises,
  PlacePremises
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import type { MusterGroup } from "../api/muster.ts"
import { qualityOf } from "../pipeline/answer.ts"
import { type GroupHandlers, RawBody } from "../pipeline/endpoint.ts"
import type { WireMarking } from "../wire/muster.ts"
import { listed } from "./listed.ts"
import { refuse } from "./refuse.ts"

const summary = ({ id, mode: _, ...muster }: Muster) => ({ musterId: id, ...muster })

const toWire = ({ people, ...muster }: MusterReport) => ({ ...summary(muster), people })

/** The shape has one of both. */
const markingOf = ({ orgAuthServerIds, count }: typeof WireMarking.Type): Marking =>
  orgAuthServerIds == null ? { _tag: "MarkCount", count: count ?? 0 } : { _tag: "MarkPeople", people: orgAuthServerIds }

const asCsv = ({ people = [] }: MusterReport) =>
  new RawBody(200, HttpBody.text(musterCsv(people), "text/csv; charset=utf-8"))

/** JSON unless the client prefers CSV. */
const prefersCsv = (accept: string | undefined): boolean =>
  qualityOf(accept, "text/csv") > qualityOf(accept, "application/json")

/** Answers the endpoints for lists of who is inside, and for musters. */
export const musterHandlers = Effect.map(Musters, (musters): GroupHandlers<typeof MusterGroup> => ({
  insideOrganization: ({ caller, params: { organizationId } }) =>
    musters.inside(caller, OrganizationPremises(organizationId)).pipe(
      listed((person) => person),
      refuse()
    ),
  insidePlace: ({ caller, params: { placeId } }) =>
    musters.inside(caller, PlacePremises(placeId)).pipe(
      listed((person) => person),
      refuse()
    ),
  startMuster: ({ caller, params: { organizationId }, payload: { kind, note } }) =>
    musters.start(caller, { organizationId, kind, note: note ?? undefined }).pipe(Effect.map(toWire), refuse()),
  listMusters: ({ caller, params: { organizationId } }) =>
    musters.list(caller, organizationId).pipe(listed(summary), refuse()),
  readMuster: ({ caller, head, params: { musterId } }) =>
    musters.get(caller, musterId).pipe(
      Effect.map((muster) => (prefersCsv(head.headers["accept"]) ? asCsv(muster) : toWire(muster))),
      refuse()
    ),
  markSafe: ({ caller, params: { musterId }, payload }) =>
    musters.mark(caller, musterId, markingOf(payload)).pipe(Effect.map(toWire), refuse()),
  endMuster: ({ caller, params: { musterId } }) => musters.end(caller, musterId).pipe(Effect.map(toWire), refuse())
}))

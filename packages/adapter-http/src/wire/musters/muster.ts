/** The JSON of musters, and of lists of the people inside. */
import { MarkedCount, MarkedPeople, MusterKind, MusterNote } from "@sojourn/core"
import * as Schema from "effect/Schema"
import { known, leftOut, WireMusterId, WireOrganizationId, WirePlaceId, WireTimestamp } from "../shared/fields.ts"

/** A stay of a person who is inside. */
export const WirePersonInside = Schema.Struct({
  orgAuthServerId: Schema.String,
  placeId: known(WirePlaceId),
  since: WireTimestamp
}).annotate({ identifier: "PersonInside" })

/** A muster to be started. */
export const WireMusterDraft = Schema.Struct({ kind: MusterKind, note: leftOut(MusterNote) }).annotate({
  identifier: "MusterDraft"
})

export const WireMusterState = Schema.Literals(["missing", "safe", "left"])

/** A person of a muster. */
export const WireMusterPerson = Schema.Struct({
  orgAuthServerId: Schema.String,
  placeIds: Schema.Array(WirePlaceId),
  since: known(WireTimestamp),
  state: WireMusterState,
  at: known(WireTimestamp)
}).annotate({ identifier: "MusterPerson" })

const muster = {
  musterId: WireMusterId,
  organizationId: WireOrganizationId,
  kind: MusterKind,
  note: known(Schema.String),
  startedAt: WireTimestamp,
  startedBy: Schema.String,
  endedAt: known(WireTimestamp),
  counted: known(Schema.Int),
  inside: Schema.Int,
  safe: Schema.Int,
  left: Schema.Int,
  missing: Schema.Int,
  swept: known(
    Schema.Array(
      Schema.Struct({ placeId: WirePlaceId, at: WireTimestamp, by: Schema.String }).annotate({
        identifier: "SweptPlace"
      })
    )
  )
}

/** A muster of a list: without its people. */
export const WireMusterSummary = Schema.Struct(muster).annotate({ identifier: "MusterSummary" })

/** A muster with its people, where it knows people. */
export const WireMuster = Schema.Struct({ ...muster, people: known(Schema.Array(WireMusterPerson)) }).annotate({
  identifier: "Muster"
})

/** People to be marked as safe, or how many are at the muster point in all: one of both. */
export const WireMarking = Schema.Struct({ orgAuthServerIds: leftOut(MarkedPeople), count: leftOut(MarkedCount) })
  .check(
    Schema.makeFilter(({ orgAuthServerIds, count }) => (orgAuthServerIds == null) !== (count == null), {
      expected: "either orgAuthServerIds or count"
    })
  )
  .annotate({ identifier: "MusterMarking" })

/** People whose marks are taken back. */
export const WireUnmarking = Schema.Struct({ orgAuthServerIds: MarkedPeople }).annotate({
  identifier: "MusterUnmarking"
})

/** Whether a place was searched. */
export const WireSweep = Schema.Struct({ placeId: WirePlaceId, swept: Schema.Boolean }).annotate({
  identifier: "MusterSweep"
})

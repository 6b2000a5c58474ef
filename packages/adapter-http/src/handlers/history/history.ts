import { Histories, type HistoryRow, OrganizationPremises, PlacePremises } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { HistoryGroup } from "../../api/history/history.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { listed } from "../shared/listed.ts"
import { refuse } from "../shared/refuse.ts"

const rows = listed((row: HistoryRow) => row)

/** Answers the endpoints for the history of presence. */
export const historyHandlers = Effect.map(Histories, (histories): GroupHandlers<typeof HistoryGroup> => ({
  organizationHistory: ({ caller, params, query }) =>
    histories.rows(caller, OrganizationPremises(params.organizationId), query).pipe(rows, refuse()),
  placeHistory: ({ caller, params, query }) =>
    histories.rows(caller, PlacePremises(params.placeId), query).pipe(rows, refuse())
}))

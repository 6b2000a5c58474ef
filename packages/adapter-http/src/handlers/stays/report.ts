/** Answers the endpoint of `api/stays/report.ts`. */
import { PlacePremises, Reports } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { ReportGroup } from "../../api/stays/report.ts"
import { BadRequest } from "../../api/shared/refusals.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"
import { listed } from "../shared/listed.ts"

const HALF_WINDOW = new BadRequest({ detail: "A window needs both from and to." })

/** Answers the endpoint for reports (spec: stays#report). */
export const reportHandlers = Effect.map(Reports, (reports): GroupHandlers<typeof ReportGroup> => ({
  timePerUser: ({ caller, params: { placeId }, query: { from, to } }) => {
    if (from === undefined && to === undefined) {
      return reports.timePerUser(caller, placeId).pipe(
        listed((time) => time),
        refuse()
      )
    }
    if (from === undefined || to === undefined) return Effect.fail(HALF_WINDOW)
    return reports.timePerUserInside(caller, PlacePremises(placeId), { from, to }).pipe(
      listed((time) => ({ placeId, ...time })),
      refuse()
    )
  }
}))

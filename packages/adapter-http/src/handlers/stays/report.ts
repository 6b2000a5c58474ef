/** Answers the endpoint of `api/stays/report.ts`. */
import { Reports } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { ReportGroup } from "../../api/stays/report.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"
import { listed } from "../shared/listed.ts"

/** Answers the endpoint for reports (spec: stays#report). */
export const reportHandlers = Effect.map(Reports, (reports): GroupHandlers<typeof ReportGroup> => ({
  timePerUser: ({ caller, params }) =>
    reports.timePerUser(caller, params.placeId).pipe(
      listed((time) => time),
      refuse()
    )
}))

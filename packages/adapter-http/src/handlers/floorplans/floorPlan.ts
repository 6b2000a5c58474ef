/** Answers the endpoints for floor plans (spec: floorplans#floor-plans). */
import { type FloorPlan, FloorPlans, type FloorPlanType } from "@sojourn/core"
import * as HttpBody from "effect/http/HttpBody"
import * as Effect from "effect/Effect"
import type { FloorPlanGroup } from "../../api/floorplans/floorPlan.ts"
import { mediaTypeOf } from "../../pipeline/bodyPreconditions.ts"
import { type GroupHandlers, RawBody } from "../../pipeline/endpoint.ts"
import { hasTag, tagOf } from "../../pipeline/entityTag.ts"
import { refuse } from "../../pipeline/refuse.ts"
import { listed } from "../shared/listed.ts"

/** An image runs nothing, also where it is opened by itself. */
const POLICY = { "content-security-policy": "sandbox; default-src 'none'" }

export const floorPlanHandlers = Effect.map(FloorPlans, (plans): GroupHandlers<typeof FloorPlanGroup> => ({
  put: ({ caller, params: { organizationId }, query: { level = 0, rotation = 0, ...box }, payload, head }) => {
    // The media type was checked before the body was read.
    const type = mediaTypeOf(head) as FloorPlanType
    return plans.put(caller, { organizationId, level, rotation, ...box, type, image: payload }).pipe(refuse())
  },
  get: ({ caller, params: { organizationId }, query: { level = 0 }, head }) =>
    plans.get(caller, organizationId, level).pipe(
      Effect.flatMap(({ image, type }) =>
        Effect.map(
          Effect.promise(() => tagOf(image)),
          (etag) => {
            const headers = { ...POLICY, etag, "cache-control": "private, no-cache" }
            return hasTag(head.headers["if-none-match"], etag)
              ? new RawBody(304, HttpBody.empty, headers)
              : new RawBody(200, HttpBody.uint8Array(image, type), headers)
          }
        )
      ),
      refuse()
    ),
  remove: ({ caller, params: { organizationId }, query: { level = 0 } }) =>
    plans.remove(caller, organizationId, level).pipe(refuse()),
  list: ({ caller, params: { organizationId } }) =>
    plans.list(caller, organizationId).pipe(
      listed((plan: FloorPlan) => plan),
      refuse()
    )
}))

/** Answers the endpoints for floor plans (spec: floorplans#floor-plans). */
import { type FloorPlan, FloorPlans, type FloorPlanType } from "@sojourn/core"
import * as HttpBody from "effect/http/HttpBody"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { FloorPlanGroup } from "../../api/floorplans/floorPlan.ts"
import { mediaTypeOf } from "../../pipeline/body.ts"
import { type GroupHandlers, RawBody } from "../../pipeline/endpoint.ts"
import { hasTag } from "../../pipeline/staticContent.ts"
import { IMAGES, makeContentBounds } from "../../pipeline/overload.ts"
import { refuse } from "../shared/refuse.ts"
import { listed } from "../shared/listed.ts"

/** An image runs nothing, also where it is opened by itself. */
const POLICY = { "content-security-policy": "sandbox; default-src 'none'" }

/** An entity tag of an image, by its digest. */
const tagOf = (digest: string): string => `"${digest}"`

const headersOf = (digest: string) => ({ ...POLICY, etag: tagOf(digest), "cache-control": "private, no-cache" })

/** How many images are read from the store at once, and how many are written. */
const readLimit = Semaphore.makeUnsafe(2)
const writeLimit = Semaphore.makeUnsafe(1)
const takeImage = makeContentBounds(IMAGES)

export const floorPlanHandlers = Effect.map(FloorPlans, (plans): GroupHandlers<typeof FloorPlanGroup> => ({
  put: ({ caller, params: { organizationId }, query: { level = 0, rotation = 0, ...box }, payload, head }) => {
    // The media type was checked before the body was read.
    const type = mediaTypeOf(head) as FloorPlanType
    return plans
      .put(caller, { organizationId, level, rotation, ...box, type, image: payload })
      .pipe(writeLimit.withPermit, refuse())
  },
  get: ({ caller, params: { organizationId }, query: { level = 0 }, head }) => {
    const known = head.headers["if-none-match"]
    const read = plans.get(caller, organizationId, level).pipe(
      readLimit.withPermit,
      Effect.map(({ image, type, digest }) => new RawBody(200, HttpBody.uint8Array(image, type), headersOf(digest))),
      refuse()
    )
    const readInBounds = Effect.andThen(takeImage(caller), read)
    if (known === undefined) return readInBounds
    return plans
      .digest(caller, organizationId, level)
      .pipe(refuse())
      .pipe(
        Effect.flatMap((digest) =>
          hasTag(known, tagOf(digest))
            ? Effect.succeed(new RawBody(304, HttpBody.empty, headersOf(digest)))
            : readInBounds
        )
      )
  },
  remove: ({ caller, params: { organizationId }, query: { level = 0 } }) =>
    plans.remove(caller, organizationId, level).pipe(refuse()),
  list: ({ caller, params: { organizationId } }) =>
    plans.list(caller, organizationId).pipe(
      listed((plan: FloorPlan) => plan),
      refuse()
    )
}))

/** Answers the endpoints for imports (spec: imports). */
import { type FeatureRefusal, Imports, MAX_REASONS, plannedFeature, type RefusedFeature } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { ImportGroup } from "../../api/imports/imports.ts"
import { problemOf } from "../../api/shared/problems.ts"
import { mediaTypeOf, textOf } from "../../pipeline/body.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { refuse } from "../shared/refuse.ts"
import { readFeatures } from "./readFeatures.ts"
import { readRows } from "./readRows.ts"

/** How many imports are read and carried out at once: each takes memory for all that it has. Accesses may take minutes, which places do not wait for. */
const placesLimit = Semaphore.makeUnsafe(1)
const accessesLimit = Semaphore.makeUnsafe(1)

/** A reason that names features in the place of places that a trial did not create. */
const namingFeatures = (reason: string): string =>
  reason.replaceAll(/\b([Pp])lace (-\d+)\b/g, (_, initial: string, id: string) => {
    const feature = plannedFeature(BigInt(id) as Parameters<typeof plannedFeature>[0])
    return `${initial === "P" ? "F" : "f"}eature ${feature}`
  })

/** The reason of a refused feature, in the words of the problem of a single place. */
const reasonOf = (refusal: FeatureRefusal) => {
  if (refusal._tag === "FeatureInvalid") return { reason: refusal.reason, areaFault: undefined }
  const { detail, areaFault } = problemOf(refusal._tag, refusal)
  const feature = areaFault?.placeId === undefined ? undefined : plannedFeature(areaFault.placeId)
  return {
    reason: namingFeatures(detail),
    areaFault: areaFault && (feature === undefined ? areaFault : { ...areaFault, placeId: undefined, feature })
  }
}

const toWire = ({ feature, refusal }: RefusedFeature) => ({ feature, ...reasonOf(refusal) })

export const importHandlers = Effect.map(Imports, (imports): GroupHandlers<typeof ImportGroup> => ({
  places: ({ caller, params: { organizationId }, query: { dryRun }, payload }) =>
    Effect.flatMap(textOf(payload), readFeatures).pipe(
      Effect.flatMap((features) =>
        imports.places(caller, organizationId, features, { isTrial: dryRun === "true" }).pipe(refuse())
      ),
      Effect.map(({ created, refused }) => ({ created, refused: refused.map(toWire) })),
      placesLimit.withPermit
    ),
  accesses: ({ caller, params: { organizationId }, payload, head }) =>
    Effect.gen(function* () {
      const { drafts, refused } = yield* readRows(yield* textOf(payload), mediaTypeOf(head))
      const answer = yield* imports.accesses(caller, organizationId, drafts).pipe(refuse())
      const all = [...refused, ...answer.refused].sort((one, other) => one.line - other.line)
      return { ...answer, refused: all.slice(0, MAX_REASONS) }
    }).pipe(accessesLimit.withPermit)
}))

import { requestSource } from "@sojourn/adapter-http"
import { OrganizationDirectory } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Incoming } from "../node/Incoming.ts"

/** Counts the current request apart in admission control while the effect runs, if there is a request. */
const countedApart = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(requestSource, (source) => {
    const admitted = source instanceof Incoming ? source.admitted : undefined
    if (admitted === undefined) return effect
    return Effect.acquireUseRelease(
      Effect.sync(() => admitted.suspend()),
      () => effect,
      () => Effect.sync(() => admitted.resume())
    )
  })

/**
 * The directory, whose questions do not count as work of this server: a request that waits for an organization's own server takes
 * no place of `--max-in-flight`. `DirectoryBounds` of core bounds how many there are.
 */
export const countQuestionsApart = <E, R>(
  directory: Layer.Layer<OrganizationDirectory, E, R>
): Layer.Layer<OrganizationDirectory, E, R> =>
  Layer.effect(
    OrganizationDirectory,
    Effect.map(OrganizationDirectory, ({ authenticate, information }) => ({
      authenticate: (...asked) => countedApart(authenticate(...asked)),
      information: (...asked) => countedApart(information(...asked))
    }))
  ).pipe(Layer.provide(directory))

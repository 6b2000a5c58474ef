/** Requests that wait for an organization's directory use none of the capacity for other requests. */
import { requestSource } from "@sojourn/adapter-http"
import { OrganizationDirectory } from "@sojourn/core"
import { Effect, Layer } from "effect"
import { PermittedRequest } from "./RequestPermit.ts"

/** Suspends the permit of the current request, if there is one, while the effect runs. */
const withSuspendedPermit = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(requestSource, (source) => {
    const permit = source instanceof PermittedRequest ? source.permit : undefined
    if (permit === undefined) return effect
    return Effect.acquireUseRelease(
      Effect.sync(() => permit.suspend()),
      () => effect,
      () => Effect.sync(() => permit.resume())
    )
  })

/**
 * Wraps a directory so that waiting for it does not count towards `--max-in-flight`. An owner chooses the server that such
 * a request waits for; a server that hangs must not use up the capacity for others. `DirectoryBounds` of core limits the number of
 * these requests.
 */
export const excludeDirectoryWaits = <E, R>(
  directory: Layer.Layer<OrganizationDirectory, E, R>
): Layer.Layer<OrganizationDirectory, E, R> =>
  Layer.effect(
    OrganizationDirectory,
    Effect.map(OrganizationDirectory, ({ authenticate, information }) => ({
      authenticate: (...asked) => withSuspendedPermit(authenticate(...asked)),
      information: (...asked) => withSuspendedPermit(information(...asked))
    }))
  ).pipe(Layer.provide(directory))

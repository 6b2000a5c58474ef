/** Background work on several organizations, of which one whose rows cannot be worked on holds up no other. */
import { type OrganizationId, reportFailure } from "@sojourn/core"
import { Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { describe, isOfValues } from "./Database.ts"

/** Handles what values of rows lead to: errors of values and constraints, and defects of the code that reads them. */
const catchOfRows = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  handle: (failure: unknown) => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  effect.pipe(
    Effect.catchIf((error): error is E & SqlError => isSqlError(error) && isOfValues(error), handle),
    Effect.catchDefect(handle)
  )

/** Does work for one organization after the other, and leaves out those that it fails for. */
export const organizationsApart = <A, E, R>(
  what: string,
  organizationIds: ReadonlyArray<OrganizationId>,
  work: (organizationId: OrganizationId) => Effect.Effect<A, E, R>
): Effect.Effect<Array<A>, E, R> =>
  Effect.map(
    Effect.forEach(organizationIds, (organizationId) =>
      catchOfRows(
        Effect.map(work(organizationId), (done) => [done]),
        (failure) =>
          Effect.as(
            reportFailure(
              `${what} of organization ${organizationId}`,
              isSqlError(failure) ? describe(failure) : failure
            ),
            []
          )
      )
    ),
    (done) => done.flat()
  )

/** Does work for all organizations at once, and where rows of one make it fail for each apart. */
export const togetherOrApart = <A, E, R, E2, R2>(
  together: Effect.Effect<A, E, R>,
  apart: Effect.Effect<A, E2, R2>
): Effect.Effect<A, E | E2, R | R2> => catchOfRows(together, () => apart)

import type { Stores } from "@sojourn/core"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Operation } from "../growth/operations.ts"

/** Something that grows in a service. */
export interface Aspect {
  readonly name: "people" | "organizations" | "places"
  /** What there is so many of. */
  readonly unit: string
  /** The sizes that the project measures itself by, rising. */
  readonly usual: ReadonlyArray<number>
  /**
   * Makes so many of it in an empty storage, and answers what can be done there over and over without the number
   * changing; `times` is how often a round does a movement.
   */
  readonly prepare: (
    size: number,
    times: number
  ) => Effect.Effect<ReadonlyArray<Operation>, unknown, Stores | SqlClient.SqlClient>
}

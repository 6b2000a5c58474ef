/** The calls that one operation on musters answers together: their verdicts, and one answer for those that are allowed. */
import { type AdministratorId, type PermissionLevel, requireLevel } from "@sojourn/core"
import { Effect, Result } from "effect"
import type { Database } from "../database/Database.ts"
import { levelsIn } from "../database/levels.ts"

/** The verdicts on calls of administrators who need a level in an organization. */
export const verdictsByLevel = (
  db: Database,
  organizationId: bigint,
  administrators: ReadonlyArray<AdministratorId>,
  level: PermissionLevel
) =>
  Effect.map(levelsIn(db, organizationId, administrators), (levelOf) =>
    administrators.map((administrator) => requireLevel(levelOf(administrator), level))
  )

/** Answers the calls that were not refused with what is read once. */
export const answerAllowed = <A, E, F>(
  verdicts: ReadonlyArray<Result.Result<unknown, E>>,
  read: Effect.Effect<A, F>
): Effect.Effect<ReadonlyArray<Result.Result<A, E>>, F> =>
  verdicts.every(Result.isFailure)
    ? Effect.succeed(verdicts as ReadonlyArray<Result.Failure<A, E>>)
    : Effect.map(read, (answer) => verdicts.map(Result.map(() => answer)))

import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import {
  admitQuestion,
  defaultDirectoryQuestionBounds,
  DirectoriesBusy,
  type DirectoryQuestion,
  type TooManyDirectoryQuestions
} from "../../domain/accounts/DirectoryQuestions.ts"

/** How many questions to authentication servers may be underway at once in this process. */
export const DirectoryBounds = Context.Reference("@sojourn/core/DirectoryBounds", {
  defaultValue: () => defaultDirectoryQuestionBounds
})

/** Asks an authentication server within the bounds. The question ends early when another one is admitted in its place. */
type AskWithinBounds = <A, E, R>(
  question: DirectoryQuestion,
  ask: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | DirectoriesBusy | TooManyDirectoryQuestions, R>

interface Underway extends DirectoryQuestion {
  readonly ended: Deferred.Deferred<never, DirectoriesBusy>
}

/** The questions of one process, within {@link DirectoryBounds}. */
export const makeDirectoryQuestions: Effect.Effect<AskWithinBounds> = Effect.gen(function* () {
  const bounds = yield* DirectoryBounds
  const underway = new Set<Underway>()

  const begin = (question: DirectoryQuestion) =>
    Effect.suspend(() =>
      Effect.map(Effect.fromResult(admitQuestion([...underway], question, bounds)), (inFavour): Underway => {
        if (inFavour !== undefined) {
          underway.delete(inFavour)
          Deferred.doneUnsafe(inFavour.ended, Effect.fail(new DirectoriesBusy()))
        }
        const begun: Underway = { ...question, ended: Deferred.makeUnsafe() }
        underway.add(begun)
        return begun
      })
    )

  return (question, ask) =>
    Effect.acquireUseRelease(
      begin(question),
      ({ ended }) => Effect.raceFirst(ask, Deferred.await(ended)),
      (begun) => Effect.sync(() => underway.delete(begun))
    )
})

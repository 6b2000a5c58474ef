/** The metrics of questions to directories. */
import { Context, Effect, Exit, Metric, Option } from "effect"
import type { Failure } from "./Failures.ts"

const questions = Metric.counter("sojourn_directory_questions_total", {
  description: "Questions to organizations' authentication servers, by outcome: a refusal is an answer",
  incremental: true
})
const durations = Metric.histogram("sojourn_directory_question_duration_seconds", {
  description: "How long a question to an authentication server took, with its wait for a turn",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
})

const OUTCOMES = {
  DirectoryRefused: "refused",
  DirectoryTimeout: "timeout",
  DirectoryUnreachable: "unreachable"
} as const

const services = Context.empty()

// What never happened is known to be nothing, and not missing.
for (const outcome of ["answered", ...Object.values(OUTCOMES), "interrupted"]) {
  Metric.withAttributes(questions, { outcome }).valueUnsafe(services)
}
durations.valueUnsafe(services)

const count = (outcome: string): void => {
  Metric.withAttributes(questions, { outcome }).updateUnsafe(1, services)
}

/** Measures a question. The server has no label: organizations name as many as they like. */
export const measured = <A, E extends Failure>(question: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const startedAtMs = performance.now()
    return Effect.onExit(question, (exit) =>
      Effect.sync(() => {
        durations.updateUnsafe((performance.now() - startedAtMs) / 1000, services)
        if (Exit.isSuccess(exit)) return count("answered")
        const failure = Exit.findErrorOption(exit)
        return count(Option.isSome(failure) ? OUTCOMES[failure.value._tag] : "interrupted")
      })
    )
  }).pipe(Effect.withSpan("ask an authentication server", { kind: "client" }, { captureStackTrace: false }))

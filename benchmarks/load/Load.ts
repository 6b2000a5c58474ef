/** A load generator as a process of its own. */
import { Effect } from "effect"
import { LoadFailed, startJobs } from "../shared/jobs.ts"
import type { Job, Outcome } from "./Job.ts"

/** Starts a load generator for the time of the scope. Returns a function that runs a job on it. */
export const startLoad = startJobs<Job, Outcome>(new URL("main.ts", import.meta.url))

/** Fails when anything went wrong. */
export const requireRight = (outcome: Outcome): Effect.Effect<Outcome, LoadFailed> => {
  const wrong = Object.entries(outcome.errors).map(([what, count]) => `${count} times ${what}`)
  return wrong.length === 0 ? Effect.succeed(outcome) : Effect.fail(new LoadFailed({ reason: wrong.join(", ") }))
}

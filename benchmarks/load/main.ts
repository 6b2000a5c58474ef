/** The load generator as a process: it is sent jobs over IPC, one at a time, and answers what came of each. */
import type { Job } from "./Job.ts"
import { runJob } from "./run.ts"

process.once("disconnect", () => process.exit())
process.on("message", (job: Job) => {
  runJob(job).then(
    (outcome) => process.send!({ outcome }),
    (error: unknown) => process.send!({ failure: error instanceof Error ? error.message : String(error) })
  )
})
process.send!("ready")

/** Makes this process a load generator: it is sent jobs over IPC, one at a time, and answers what came of each. */
export const doJobs = <Job, Outcome>(doJob: (job: Job) => Promise<Outcome>): void => {
  process.once("disconnect", () => process.exit())
  process.on("message", (job: Job) => {
    doJob(job).then(
      (outcome) => process.send!({ outcome }),
      (error: unknown) => process.send!({ failure: error instanceof Error ? error.message : String(error) })
    )
  })
  process.send!("ready")
}

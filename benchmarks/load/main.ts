/** The load generator as a process. */
import { doJobs } from "./jobs.ts"
import { runJob } from "./run.ts"

doJobs(runJob)

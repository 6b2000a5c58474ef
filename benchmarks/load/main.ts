/** The load generator as a process. */
import { serveJobs } from "../shared/jobs.ts"
import { generate } from "./generate.ts"

serveJobs(generate)

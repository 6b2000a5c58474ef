/** The generator of arrivals as a process. */
import { doJobs } from "../load/jobs.ts"
import { receive } from "./run.ts"

doJobs(receive)

/** The subscribers as a process. */
import { doJobs } from "../load/jobs.ts"
import { subscribe } from "./subscribe.ts"

doJobs(subscribe)

/** The subscribers as a process. */
import { serveJobs } from "../shared/jobs.ts"
import { subscribe } from "./subscribe.ts"

serveJobs(subscribe)

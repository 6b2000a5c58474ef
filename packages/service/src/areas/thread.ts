import { Worker } from "node:worker_threads"

const file = new URL("worker.ts", import.meta.url)

/**
 * Starts a thread that checks areas.
 *
 * This module runs the thread from its source. In what is built, `embedWorker` of `embedWorker.ts` replaces it by one with the bundled
 * code, so that the executable stays one file.
 */
export const startThread = (): Worker => new Worker(file, { execArgv: ["--conditions=source"] })

/** Bystanders in a thread of their own, so that the work of an attacker in this process delays none of them. */
import { parentPort, Worker, workerData } from "node:worker_threads"
import { type Bystanding, type Observed, startBystanders } from "./bystander.ts"

/** Starts bystanders in a thread until `stop`, which answers what they saw. */
export const startBystandersApart = (bystanding: Bystanding): { readonly stop: () => Promise<Observed> } => {
  const worker = new Worker(new URL(import.meta.url), { workerData: bystanding, execArgv: ["--conditions=source"] })
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once("message", resolve).once("error", reject)
        worker.postMessage("stop")
      })
  }
}

if (parentPort !== null) {
  const port = parentPort
  const { stop } = startBystanders(workerData as Bystanding)
  port.once("message", () => void stop().then((observed) => port.postMessage(observed)))
}

/** The entry point of the thread that checks areas: runs the checks of core that it is sent, one after the other. */
import { parentPort } from "node:worker_threads"
import { firstConflict, whyMalformed } from "@sojourn/core/AreaChecks"
import type { CheckMessage, CheckReply } from "./messages.ts"

const checks = { whyMalformed, firstConflict }
const reply = (message: CheckReply) => parentPort!.postMessage(message)

/** The computing time of this thread in milliseconds; the elapsed time where Node cannot measure it, before version 24. */
const computed = (): number => {
  if (process.threadCpuUsage === undefined) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

parentPort!.on("message", ({ name, input }: CheckMessage) => {
  reply("started")
  const begin = computed()
  const result = checks[name](input as never)
  reply({ millis: computed() - begin, result })
})

/** The entry point of the thread that checks areas: runs the checks of core that it is sent, one after the other. */
import { parentPort } from "node:worker_threads"
import { firstConflict, whyMalformed } from "@sojourn/core/areas"
import type { CheckMessage, CheckReply } from "./messages.ts"

const checks = { whyMalformed, firstConflict }
const reply = (message: CheckReply) => parentPort!.postMessage(message)

parentPort!.on("message", ({ name, input }: CheckMessage) => {
  reply("started")
  const begin = performance.now()
  const result = checks[name](input as never)
  reply({ millis: performance.now() - begin, result })
})

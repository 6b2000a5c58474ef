/** The entry point of the thread that checks areas: runs the checks of core that it is sent, which take turns of one comparison each. */
import { parentPort } from "node:worker_threads"
import { checkAreas } from "@sojourn/core/AreaChecks"
import type { CheckMessage, CheckReply } from "./messages.ts"

/** The computing time of this thread in milliseconds; the elapsed time where Node cannot measure it, before version 24. */
const computed = (): number => {
  if (process.threadCpuUsage === undefined) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

parentPort!.on("message", ({ check, limitMillis, port }: CheckMessage) => {
  const steps = checkAreas(check)
  let millis = 0
  const reply = (message: CheckReply) => port.postMessage(message)
  const next = () => {
    const begin = computed()
    const step = steps.next()
    millis += computed() - begin
    if (step.done === true) reply({ millis, fault: step.value })
    else if (millis > limitMillis) reply("late")
    else setImmediate(next)
  }
  next()
})

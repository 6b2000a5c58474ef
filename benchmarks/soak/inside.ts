/**
 * Loaded into the server beside it: writes now and then what only the process itself knows. It is one line of JSON, in the file
 * that SOJOURN_SOAK_STATE names.
 */
import { renameSync, writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

const path = process.env.SOJOURN_SOAK_STATE ?? ""
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

setInterval(() => {
  const { heapUsed } = process.memoryUsage()
  const state = { heapUsed, delayP99: delay.percentile(99) / 1e6, delayMax: delay.max / 1e6 }
  writeFileSync(`${path}.new`, JSON.stringify(state))
  renameSync(`${path}.new`, path)
}, 1_000).unref()
// A look covers what came since the one before.
setInterval(() => delay.reset(), 60_000).unref()

/** Bystanders in a separate process, so that the attacker's work in this process does not delay them. */
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { type Bystanding, type Observed, startBystanders } from "./bystander.ts"

/** Starts a process with bystanders; `stop` ends it and returns their measurements. */
export const startBystandersApart = (bystanding: Bystanding): { readonly stop: () => Promise<Observed> } => {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(bystanding)], {
    execArgv: ["--conditions=source"],
    serialization: "advanced"
  })
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        child.once("message", (observed) => resolve(observed as Observed)).once("error", reject)
        child.send("stop")
      })
  }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stop } = startBystanders(JSON.parse(process.argv[2] ?? "") as Bystanding)
  process.once("message", () => void stop().then((observed) => process.send!(observed, () => process.disconnect())))
}

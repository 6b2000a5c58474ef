/** Programs of a consumer of the packages: in the consumer's folder, and with nothing of the workspace on their path. */
import { spawn } from "node:child_process"
import { delimiter } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { at } from "../workspace/paths.mjs"

/** What the workspace and npm's own scripts set, and what must not reach a program outside. */
const foreign = /^(npm_(?!config_)|NODE_OPTIONS$|INIT_CWD$|SOJOURN_|CI$)/i

/** How long any program may take before it counts as stuck, how long one may take to end after SIGTERM, and how often one that starts is asked: in milliseconds. */
const [PATIENCE_MS, END_WITHIN_MS, POLL_INTERVAL_MS] = [300_000, 10_000, 50]

/** A process of a group of its own, whose children get every signal that it gets. `path` are folders that come first; `env` is added. */
export const launch = (file, args, { cwd, path = [], env = {} }) => {
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const paths = process.env.PATH.split(delimiter).filter((folder) => !folder.startsWith(at("node_modules")))
  const child = spawn(file, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { ...Object.fromEntries(kept), ...env, PATH: [...path, ...paths].join(delimiter) }
  })
  const signal = (name) => {
    try {
      process.kill(-child.pid, name)
    } catch {
      // No process is left.
    }
  }
  const stuck = setTimeout(() => signal("SIGKILL"), PATIENCE_MS)
  let text = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more) => (text += more))
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, killer) => resolve(code ?? killer))
  }).finally(() => clearTimeout(stuck))
  return { child, ended, signal, output: () => text }
}

/** Runs a program to its end, and fails with what it said unless its exit code is 0. */
export const started = async (file, args, options) => {
  const { ended, output } = launch(file, args, options)
  const code = await ended
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}:\n${output()}`)
  return output()
}

/** Waits until a server that says where it listens, or whose address is known, answers on a path. */
const answering = async ({ child, output }, probe, known) => {
  const deadline = AbortSignal.timeout(PATIENCE_MS)
  while (child.exitCode === null && !deadline.aborted) {
    const address = known ?? /listening on (http:\/\/\S+)/.exec(output())?.[1]
    const response = address === undefined ? undefined : await fetch(address + probe).catch(() => undefined)
    if (response?.ok) return address
    await pause(POLL_INTERVAL_MS)
  }
  throw new Error(`the server does not answer:\n${output()}`)
}

/** Starts a server, runs `use` against it, and ends it with SIGTERM: it ends soon, and with 0 unless npx is between. */
export const serving = async ([file, ...args], { probe, address: known, ...options }, use) => {
  const server = launch(file, args, options)
  try {
    await use(await answering(server, probe, known))
    server.signal("SIGTERM")
    const begun = performance.now()
    const code = await server.ended
    const took = performance.now() - begun
    if (file === "npx" || (code === 0 && took < END_WITHIN_MS)) return
    throw new Error(`${[file, ...args].join(" ")} ends with ${code} ${took} ms after SIGTERM:\n${server.output()}`)
  } finally {
    server.signal("SIGKILL")
  }
}

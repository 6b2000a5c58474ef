/** Programs of a consumer of the packages: in the consumer's folder, and with nothing of the workspace on their path. */
import { spawn } from "node:child_process"
import { delimiter } from "node:path"
import { at } from "../../workspace/paths.mjs"

/** What the workspace and npm's own scripts set, and what must not reach a program outside. */
const foreign = /^(npm_|NODE_OPTIONS$|INIT_CWD$|SOJOURN_|CI$)/i

/** How long any program may take, in milliseconds, before it counts as stuck. */
const PATIENCE = 300_000

const onWindows = process.platform === "win32"

/**
 * A process with its output in `output()`. `path` are folders that come first; `env` is added. With `ownGroup` its children
 * get every signal that it gets, and it has ended when they have.
 */
export const launch = (file, args, { cwd, path = [], env = {}, ownGroup = false }) => {
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name) || /^npm_config_/i.test(name))
  const paths = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(at("node_modules")))
  const child = spawn(file, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    shell: onWindows,
    detached: ownGroup && !onWindows,
    env: { ...Object.fromEntries(kept), ...env, PATH: [...path, ...paths].join(delimiter) }
  })
  const signal = (name) => {
    try {
      if (ownGroup && !onWindows) process.kill(-child.pid, name)
      else child.kill(name)
    } catch {
      // No process is left.
    }
  }
  const stuck = setTimeout(() => signal("SIGKILL"), PATIENCE)
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

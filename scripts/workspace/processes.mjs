/** Running other programs. */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import { delimiter } from "node:path"
import { at, node, root, tool } from "./paths.mjs"

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"]

/** Children of children find the workspace's Node and tools first, whatever Node the machine has. */
const environment = (more) => ({
  ...process.env,
  ...more,
  PATH: [at("node_modules", ".bin"), process.env.PATH].join(delimiter)
})

/**
 * Runs a program to its end and gives its exit code (128 + n when signal n ended it). Signals are passed on, so that it
 * decides itself how to stop; we end when it does.
 */
export const run = (file, args, { cwd = root, stdio = "inherit", shell = false, timeout, env = {} } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio, shell, timeout, env: environment(env) })
    const pass = (signal) => child.kill(signal)
    const settle = (done) => {
      for (const signal of forwarded) process.off(signal, pass)
      done()
    }
    for (const signal of forwarded) process.on(signal, pass)
    child.once("error", (error) => settle(() => reject(error)))
    child.once("exit", (code, signal) => settle(() => resolve(code ?? 128 + constants.signals[signal])))
  })

/** For steps whose words must not mix with a command's own output: everything goes to stderr. */
export const toStderr = ["ignore", 2, 2]

/** Runs a command of an installed package (by default the one that is called like it) on the workspace's Node. */
export const runTool = (packageName, args, { command = packageName, ...options } = {}) =>
  run(node(), [tool(packageName, command), ...args], options)

/** How often we look whether our parent is still there, in milliseconds. */
const PARENT_CHECK = 250

/**
 * npm runs us through a shell, which may end on a signal without passing it on. Then we have another parent, and stop as if
 * the signal had been ours.
 */
const stopWithParent = () => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, "SIGTERM")
  }, PARENT_CHECK)
  timer.unref()
  // A program that was asked to end gets no second signal from here: that is for the user.
  for (const signal of forwarded) process.once(signal, () => clearInterval(timer))
}

/**
 * Runs the `sojourn` command line. Besides our stdio it gets an IPC channel, over which nothing is said: it closes when
 * we are killed without a chance to pass anything on, and the server then stops.
 */
export const runBundle = (bundle, args) => {
  stopWithParent()
  return run(node(), [bundle, ...args], { cwd: process.cwd(), stdio: ["inherit", "inherit", "inherit", "ipc"] })
}

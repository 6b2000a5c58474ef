/** Servers of a consumer, each started, used and ended. */
import { setTimeout as pause } from "node:timers/promises"
import { launch } from "./started.mjs"

/** How long it may take until a server answers, in milliseconds: a machine may be busy, and `npx` installs first. */
const TIMEOUT = 180_000

/** Waits until a server that says where it listens, or whose address is known, answers on a path. */
const answering = async ({ child, output }, probe, known) => {
  for (const deadline = AbortSignal.timeout(TIMEOUT); ; await pause(20)) {
    const address = known ?? /listening on (http:\/\/\S+)/.exec(output())?.[1]
    const response = address === undefined ? undefined : await fetch(address + probe).catch(() => undefined)
    if (response?.ok) return address
    if (child.exitCode !== null || deadline.aborted) throw new Error(`the server does not answer:\n${output()}`)
  }
}

/**
 * Starts a server, runs `use` against it, and ends it with SIGTERM. Gives the time from its start to its first answer on `probe`, in
 * milliseconds, and the exit code. A process between, such as `npx`, gets the signal as well, as from a
 * terminal; the exit code is then its own. The answer comes when all of them are gone.
 */
export const serving = async ([file, ...args], { probe, address: known, ...options }, use) => {
  const begun = performance.now()
  const server = launch(file, args, { ...options, ownGroup: true })
  try {
    const address = await answering(server, probe, known)
    const took = performance.now() - begun
    await use(address)
    server.signal("SIGTERM")
    return { took, code: await server.ended, output: server.output() }
  } finally {
    server.signal("SIGKILL")
  }
}

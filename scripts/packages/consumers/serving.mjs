/** The server, started as from an installation. */
import { launch } from "./started.mjs"

/** How long it may take until the server answers, in milliseconds: a machine may be busy, and the installation counts. */
const PATIENCE = 180_000

const addressOf = async ({ child, ended, output }) => {
  const deadline = AbortSignal.timeout(PATIENCE)
  for (;;) {
    const found = /listening on (http:\/\/\S+)/.exec(output())
    if (found !== null) return found[1]
    if (child.exitCode !== null || deadline.aborted) throw new Error(`the server does not listen:\n${output()}`)
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])
  }
}

/**
 * Starts the server, runs `use` against it, and ends it with SIGTERM. Gives the time from its start to its first answer, in
 * milliseconds, and the exit code. A process between, such as `npx`, gets the signal as well, as from a
 * terminal; the exit code is then its own. The answer comes when all of them are gone.
 */
export const serving = async ([file, ...args], options, use) => {
  const begun = performance.now()
  const server = launch(file, args, { ...options, ownGroup: true })
  try {
    const address = await addressOf(server)
    const ready = await fetch(`${address}/health/ready`)
    if (ready.status !== 200) throw new Error(`/health/ready answers ${ready.status}`)
    const took = performance.now() - begun
    await use(address)
    server.signal("SIGTERM")
    return { took, code: await server.ended, output: server.output() }
  } finally {
    server.signal("SIGKILL")
  }
}

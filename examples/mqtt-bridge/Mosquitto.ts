/** A real Mosquitto on a free port, which keeps its sessions in a folder of its own. */
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findProgram, freePorts, runServer, unlessMissing } from "../../packages/adapter-ldap/test/programs.ts"

const found = findProgram("mosquitto", process.env.SOJOURN_MOSQUITTO)

/** Why the tests with a broker do not run, or undefined when they do. */
export const missing = unlessMissing(
  found,
  "no mosquitto: install it (Debian: apt-get install mosquitto), or name it in SOJOURN_MOSQUITTO"
)

const start = Effect.fnUntraced(function* () {
  if (found === undefined) return yield* Effect.die(new Error(missing))
  const directory = mkdtempSync(join(tmpdir(), "sojourn-mosquitto-"))
  const [port = 0] = yield* freePorts(1)
  const file = join(directory, "mosquitto.conf")
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    "persistence true",
    `persistence_location ${directory}/`,
    ...(process.getuid?.() === 0 ? ["user root"] : [])
  ]
  writeFileSync(file, `${lines.join("\n")}\n`)
  yield* runServer(directory, [found, "-c", file], port)
  return `mqtt://127.0.0.1:${port}`
})

/** Starts a broker. */
export const startMosquitto = async () => {
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Scope.provide(start(), scope))
  return { url, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

import { setTimeout as pause } from "node:timers/promises"
import { execute } from "./audit.database.ts"
import { type Kill, KILLS, sparesServer } from "./kills.ts"
import type { Fault, Ledger } from "./Ledger.ts"
import { type MortalServer, mortalServer } from "./MortalServer.ts"
import { randomness } from "./randomness.ts"
import { keysIn, makeScene } from "./scene.ts"

/** The results of a run of kill cycles. */
export interface Report {
  readonly cycles: number
  readonly acknowledged: number
  readonly ambiguous: number
  /** Events that the stream told. */
  readonly told: number
  readonly faults: ReadonlyArray<Fault>
  /** The times until every client was served again, in milliseconds, by what was killed. */
  readonly recoveries: ReadonlyMap<Kill, ReadonlyArray<number>>
}

export interface Options {
  readonly cycles: number
  readonly seed: number
  /** The targets to kill in turn; all of them by default. */
  readonly kills?: ReadonlyArray<Kill>
  /** Statements that break the database's guarantees, to prove that the audit detects it. */
  readonly sabotage?: ReadonlyArray<string>
  readonly say?: (line: string) => void
  /** Ends the run after the current cycle. */
  readonly stop?: AbortSignal
}

/** Expects that the server exits with 0 on a signal and leaves no process running. */
const auditEnd = async (server: MortalServer, ledger: Ledger) => {
  const { code, signal, err, left } = await server.end()
  if (code !== 0) ledger.fault("wrong", `the server ended with ${signal ?? code}: ${err}`)
  for (const { pid, command } of left) ledger.fault("wrong", `process ${pid} is left: ${command}`)
}

/**
 * Repeats on the same data: clients enter and leave on the real server with an embedded PostgreSQL, some of its processes
 * are killed at a random moment, and an audit compares the answers with the state of the service.
 */
export const runKillCycles = async ({
  cycles,
  seed,
  kills = KILLS,
  sabotage = [],
  say = () => {},
  stop
}: Options): Promise<Report> => {
  const random = randomness(seed)
  const recoveries = new Map<Kill, Array<number>>()
  const server = await mortalServer()
  try {
    const { baseUrl, data } = server
    const size = { crowd: 24, companies: 2, keyed: 0.6 }
    const scene = await makeScene({ ...(await keysIn(data)), baseUrl, random, ...size })
    const { crowd, ledger, weather } = scene
    await server.withDatabase((address) => execute(address, sabotage))

    let cycle = 0
    const goesOn = () => cycle < cycles && stop?.aborted !== true && ledger.faults.length === 0
    for (; goesOn(); cycle++) {
      const kill = kills[cycle % kills.length]!
      const closedBefore = ledger.closed.size
      crowd.start()
      await pause(random.between(50, 500))
      weather.mayRefuse = true
      weather.mayBeSilent = !sparesServer(kill)
      const moment = performance.now()
      await server.kill(kill, random.one)
      weather.mayBeSilent = false
      await crowd.servedSince(moment)
      const recovery = performance.now() - moment
      weather.mayRefuse = false
      await crowd.settle()
      recoveries.set(kill, [...(recoveries.get(kill) ?? []), recovery])
      const since = cycle === cycles - 1 ? 0 : closedBefore
      await server.withDatabase((address) => scene.audit(address, since))
      say(
        `${cycle + 1}: ${kill} killed; served again after ${Math.round(recovery)} ms; ` +
          `${ledger.acknowledged()} acknowledged, ${ledger.ambiguous()} ambiguous, ${ledger.faults.length} faults`
      )
    }
    await scene.close()
    await auditEnd(server, ledger)
    const { faults } = ledger
    const told = scene.follower.events()
    return {
      cycles: cycle,
      told,
      acknowledged: ledger.acknowledged(),
      ambiguous: ledger.ambiguous(),
      faults,
      recoveries
    }
  } finally {
    await server.destroy()
  }
}

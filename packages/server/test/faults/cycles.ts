/** Kill cycles, for the test and for `npm run kill-cycles`. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { Random } from "@sojourn/testing"
import { flagsFor, startReceiver } from "../webhooks/Receiver.ts"
import { execute } from "./audit.database.ts"
import { eventually } from "./eventually.ts"
import { makeHooks } from "./hooks.ts"
import { GROUP_KILLS, type Kill, KILLS, sparesServers } from "./kills.ts"
import type { Fault, Ledger } from "./Ledger.ts"
import { killableServer } from "./KillableServer.ts"
import { killableServers } from "./KillableServers.ts"
import type { KillableService } from "./KillableService.ts"
import { keysIn, makeScene } from "./scene.ts"

/** The results of a run of kill cycles. */
export interface Report {
  readonly cycles: number
  readonly acknowledged: number
  readonly ambiguous: number
  /** Events that the streams received, and how often streams were resumed. */
  readonly events: number
  readonly resumed: number
  /** Deliveries of webhooks, and those that came again. */
  readonly delivered: number
  readonly again: number
  readonly faults: ReadonlyArray<Fault>
  /** The times until every client was served again, in milliseconds, by what was killed. */
  readonly recoveries: ReadonlyMap<Kill, ReadonlyArray<number>>
}

export interface Options {
  readonly cycles: number
  readonly seed: number
  /** Whether three servers share a database, with readers that change servers and webhooks, in place of one server. */
  readonly isGroup?: boolean
  /** The targets to kill in turn; all of them by default. */
  readonly kills?: ReadonlyArray<Kill>
  /** Statements that break the database's guarantees, to prove that the audit detects it. */
  readonly sabotage?: ReadonlyArray<string>
  readonly say?: (line: string) => void
  /** Ends the run after the current cycle. */
  readonly stop?: AbortSignal
}

/** Expects that each server exits with 0 on a signal and leaves no process running. */
const auditEnd = async (service: KillableService, ledger: Ledger, say: (line: string) => void) => {
  const { ended, left } = await service.end()
  if (ledger.faults.length > 0) for (const { err } of ended) say(err)
  for (const { code, signal, err } of ended) {
    if (code !== 0) ledger.fault("wrong", `a server ended with ${signal ?? code}: ${err}`)
  }
  for (const { pid, command } of left) ledger.fault("wrong", `process ${pid} is left: ${command}`)
}

const areReady = async (baseUrls: ReadonlyArray<string>) => {
  const answers = await Promise.all(baseUrls.map((url) => fetch(`${url}/health/ready`).catch(() => undefined)))
  return answers.every((answer) => answer?.status === 200)
}

/** A service to kill, and a receiver of its webhooks where it is a group. */
const startService = async (isGroup: boolean) => {
  if (!isGroup) return { service: await killableServer(), receiver: undefined, close: async () => {} }
  const receiver = await startReceiver()
  const directory = await mkdtemp(join(tmpdir(), "sojourn-receivers-"))
  const service = await killableServers(3, ...flagsFor(receiver, directory))
  const close = async () => {
    await receiver.stop()
    await rm(directory, { recursive: true })
  }
  return { service, receiver, close }
}

/**
 * Repeats on the same data: clients enter and leave on real servers, some of their processes and of their PostgreSQL's are killed
 * at a random moment, and an audit compares the answers, the events and the deliveries with the state of the service.
 */
export const runKillCycles = async ({
  cycles,
  seed,
  isGroup = false,
  kills = isGroup ? GROUP_KILLS : KILLS,
  sabotage = [],
  say = () => {},
  stop
}: Options): Promise<Report> => {
  const random = new Random(seed)
  const recoveries = new Map<Kill, Array<number>>()
  const { service, receiver, close } = await startService(isGroup)
  try {
    const { baseUrl, data } = service
    const size = { crowd: 24, companies: 2, keyed: 0.6, roaming: isGroup ? 2 : 0, isManaged: isGroup }
    const keys = await service.withDatabase((address) => keysIn(data, address))
    const scene = await makeScene({ ...keys, baseUrl, random, ...size })
    const { client, town, crowd, followers, ledger, tolerated } = scene
    const hooks =
      receiver &&
      (await service.withDatabase((address) =>
        makeHooks(
          { client, baseUrl, ledger, town, receiver, random: new Random(random.below(2 ** 32)), refused: 0.01 },
          address
        )
      ))
    await service.withDatabase((address) => execute(address, sabotage))

    let cycle = 0
    const goesOn = () => cycle < cycles && stop?.aborted !== true && ledger.faults.length === 0
    for (; goesOn(); cycle++) {
      const kill = kills[cycle % kills.length]!
      const closedBefore = ledger.closed.size
      crowd.start()
      await pause(random.between(50, 500))
      // Webhooks are surely delivering. Later kills may also come before a server has taken their leases over.
      if (cycle < 2) await hooks?.deliverTwice()
      tolerated.mayRefuse = true
      tolerated.mayBeSilent = !sparesServers(kill)
      const moment = performance.now()
      await service.kill(kill, (all) => random.pick(all))
      tolerated.mayBeSilent = false
      await crowd.servedSince(moment)
      // Other servers may have served all clients.
      await eventually("all servers are ready", () => areReady(service.baseUrls()))
      const recovery = performance.now() - moment
      tolerated.mayRefuse = false
      await crowd.settle()
      recoveries.set(kill, [...(recoveries.get(kill) ?? []), recovery])
      const since = cycle === cycles - 1 ? 0 : closedBefore
      await service.withDatabase((address) => scene.audit(address, since))
      say(
        `${cycle + 1}: ${kill} killed; served again after ${Math.round(recovery)} ms; ` +
          `${ledger.acknowledged()} acknowledged, ${ledger.ambiguous()} ambiguous, ${ledger.faults.length} faults`
      )
    }
    if (hooks !== undefined && ledger.faults.length === 0) await service.withDatabase(hooks.audit)
    await scene.close()
    await auditEnd(service, ledger, say)
    const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, one) => total + one, 0)
    return {
      cycles: cycle,
      events: sum(followers.map(({ events }) => events())),
      resumed: sum(followers.map(({ resumed }) => resumed())),
      ...(hooks?.counts() ?? { delivered: 0, again: 0 }),
      acknowledged: ledger.acknowledged(),
      ambiguous: ledger.ambiguous(),
      faults: ledger.faults,
      recoveries
    }
  } finally {
    await service.destroy()
    await close()
  }
}

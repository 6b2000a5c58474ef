/**
 * Failovers of PostgreSQL under load, for the test and for `npm run failovers -- [count] [seed] [asynchronous]`: the primary is killed,
 * frozen, stopped, or left alone, its standby is promoted, and an audit compares what clients were answered with the new primary.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { Random } from "@sojourn/testing"
import type { Fault } from "./Ledger.ts"
import { type Failover, FAILOVERS, programs, type ReplicaSet, replicaSet } from "./ReplicaSet.ts"
import { keysIn, makeScene } from "./scene.ts"
import { sojourn } from "./SojournProcess.ts"

export interface FailoverReport {
  readonly acknowledged: number
  readonly ambiguous: number
  readonly faults: ReadonlyArray<Fault>
  /** The times from the promotion until every client was served again, in milliseconds. */
  readonly recoveries: ReadonlyMap<Failover, ReadonlyArray<number>>
}

/** A server on a primary and its standby. */
export interface ReplicatedServer extends AsyncDisposable {
  readonly replicas: ReplicaSet
  readonly data: string
  readonly baseUrl: string
  readonly said: () => string
}

/** Starts PostgreSQL on two hosts, and a server that knows both. */
export const startReplicated = async (isSynchronous = true): Promise<ReplicatedServer> => {
  const folder = programs()
  if (folder === undefined) throw new Error("PostgreSQL's programs are not installed")
  const replicas = await replicaSet(folder, isSynchronous)
  const data = await mkdtemp(join(tmpdir(), "sojourn-failovers-"))
  const server = sojourn("serve", "--database-url", replicas.url, "--data", data, "--port", "0")
  const end = async () => {
    await server.end()
    await replicas.close()
    await rm(data, { recursive: true, force: true })
  }
  const baseUrl = await server.listening.catch(async (error: unknown) => {
    await end()
    throw error
  })
  return { replicas, data, baseUrl, said: server.said, [Symbol.asyncDispose]: end }
}

interface Options {
  readonly count: number
  readonly seed: number
  /** What happens to the primary, in turn; all of it by default. */
  readonly ways?: ReadonlyArray<Failover>
  /** Whether the standby is synchronous (default); without it the run ends with the first failover that lost something. */
  readonly isSynchronous?: boolean
  readonly say?: (line: string) => void
}

export const runFailovers = async ({
  count,
  seed,
  ways = FAILOVERS,
  isSynchronous = true,
  say = () => {}
}: Options): Promise<FailoverReport> => {
  await using server = await startReplicated(isSynchronous)
  const { replicas, data, baseUrl } = server
  const recoveries = new Map<Failover, Array<number>>()
  const random = new Random(seed)
  const size = { crowd: 24, companies: 2, keyed: 1 }
  const scene = await makeScene({
    ...(await keysIn(data, replicas.primary())),
    baseUrl: () => baseUrl,
    random,
    ...size
  })
  const { crowd, ledger, tolerated } = scene
  for (let n = 0; n < count && ledger.faults.length === 0; n++) {
    const how = ways[n % ways.length]!
    const closedBefore = ledger.closed.size
    crowd.start()
    await pause(random.between(200, 800))
    tolerated.mayRefuse = true
    await replicas.failOver(how)
    const promoted = performance.now()
    await crowd.servedSince(promoted)
    const recovery = performance.now() - promoted
    await replicas.rejoin()
    await crowd.servedSince(performance.now())
    tolerated.mayRefuse = false
    await crowd.settle()
    recoveries.set(how, [...(recoveries.get(how) ?? []), recovery])
    await scene.audit(replicas.primary(), n === count - 1 ? 0 : closedBefore)
    say(
      `${n + 1}: the primary ${how}; served again ${Math.round(recovery)} ms after the promotion; ` +
        `${ledger.acknowledged()} acknowledged, ${ledger.ambiguous()} ambiguous, ${ledger.faults.length} faults`
    )
  }
  if (isSynchronous && ledger.faults.length > 0) say(server.said())
  await scene.close()
  return { acknowledged: ledger.acknowledged(), ambiguous: ledger.ambiguous(), faults: ledger.faults, recoveries }
}

if (import.meta.main) {
  const [count = "50", seed = String(Math.floor(Math.random() * 2 ** 31)), replication] = process.argv.slice(2)
  console.log(`seed ${seed}`)
  const isSynchronous = replication !== "asynchronous"
  const options = { count: Number(count), seed: Number(seed), isSynchronous, say: console.log }
  const { acknowledged, ambiguous, faults, recoveries } = await runFailovers(options)
  for (const [how, times] of recoveries) {
    console.log(`${how}: served again ${Math.round(Math.max(...times))} ms after the promotion at most`)
  }
  for (const { kind, what } of faults) console.log(`${kind}: ${what}`)
  console.log(`${acknowledged} movements acknowledged, ${ambiguous} ambiguous at first, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

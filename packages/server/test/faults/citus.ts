/**
 * A cell on Citus under load, for the test and for `npm run citus -- [moves] [kills] [seed] [outages] [failovers]`: Citus moves the cell's schema from
 * worker to worker, workers are killed, the coordinator is away, standbys take over, and an audit compares what clients were answered with what the
 * coordinator reads.
 *
 * SOJOURN_CITUS_URL names the coordinator of a cluster of tests: the cell is its schema `sojourn`, which must not be there. The home cell is the
 * schema `sojourn_home` there, or in the database that SOJOURN_CITUS_HOME names, as outages of the coordinator need it. The others are commands,
 * which find the port of a node in their environment (PORT):
 *
 * - SOJOURN_CITUS_KILL kills it, and starts it again.
 * - SOJOURN_CITUS_OUTAGE stops it, and starts it again after a minute.
 * - SOJOURN_CITUS_STANDBY makes a synchronous standby of it on the same host, and prints the standby's port.
 * - SOJOURN_CITUS_FAILOVER kills it for good, and promotes the standby at the port STANDBY. The cluster is another one afterwards.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { layerClient } from "@sojourn/adapter-postgres"
import { Random } from "@sojourn/testing"
import { Effect, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { query } from "./audit.database.ts"
import type { Fault } from "./Ledger.ts"
import { keysIn, makeScene } from "./scene.ts"
import { sojourn } from "./SojournProcess.ts"

export const {
  SOJOURN_CITUS_URL: citusUrl,
  SOJOURN_CITUS_HOME: homeUrl,
  SOJOURN_CITUS_KILL: killCommand,
  SOJOURN_CITUS_OUTAGE: outageCommand,
  SOJOURN_CITUS_STANDBY: standbyCommand,
  SOJOURN_CITUS_FAILOVER: failoverCommand
} = process.env

/** Runs a command with variables of the environment, and returns what it prints. */
const run = async (command: string, env: Readonly<Record<string, string>>) =>
  (await promisify(execFile)("sh", ["-c", command], { env: { ...process.env, ...env } })).stdout.trim()

interface Worker {
  readonly nodename: string
  readonly nodeport: number
}

export interface CitusReport {
  readonly acknowledged: number
  readonly ambiguous: number
  readonly faults: ReadonlyArray<Fault>
}

interface Options {
  readonly url: string
  readonly moves: number
  readonly kills: number
  readonly outages?: number
  readonly failovers?: number
  readonly seed: number
  readonly say?: (line: string) => void
}

/** Moves the schema. Citus refuses that, and changes nothing, while it removes what the move before has left. */
const moveBy = async (url: string, statement: string) => {
  for (let attempts = 1; ; attempts++) {
    try {
      return void (await administer(url, statement))
    } catch (error) {
      if (attempts === 10) throw error
      await pause(1_000)
    }
  }
}

const PLACED = `
select nodename, nodeport from pg_dist_node natural join pg_dist_placement natural join pg_dist_shard
where logicalrelid = 'sojourn.organization'::regclass`

/** Runs a statement of Citus on the coordinator, however long it takes. */
const administer = (url: string, statement: string) =>
  Effect.runPromise(
    SqlClient.SqlClient.use((sql) => sql.unsafe(statement)).pipe(
      Effect.provide(layerClient({ url: Redacted.make(url) }, { maxConnections: 1, statementTimeout: "10 minutes" }))
    )
  )

/** Removes the schemas of the cells, from the workers as well. */
const clear = async (url: string) => {
  await administer(url, "drop schema if exists sojourn cascade")
  await administer(homeUrl ?? url, "drop schema if exists sojourn_home cascade")
  await administer(url, "select count(*) from run_command_on_workers('drop schema if exists sojourn_placed cascade')")
}

/** Moves the schema, kills the worker that has it, stops the coordinator, and has standbys take over, so many times. */
export const runCitus = async ({
  url,
  moves,
  kills,
  outages = 0,
  failovers = 0,
  seed,
  say = () => {}
}: Options): Promise<CitusReport> => {
  const database = { url: Redacted.make(url) }
  const data = await mkdtemp(join(tmpdir(), "sojourn-citus-"))
  const cells = join(data, "cells.json")
  await writeFile(
    cells,
    JSON.stringify({
      cells: [
        { number: 0, url: homeUrl ?? url, schema: "sojourn_home", weight: 0 },
        { number: 1, url, schema: "sojourn", citus: true, weight: 1 }
      ]
    })
  )
  const server = sojourn("serve", "--cells", cells, "--data", data, "--port", "0")
  try {
    const baseUrl = await server.listening
    const random = new Random(seed)
    const scene = await makeScene({
      ...(await keysIn(data, { url: Redacted.make(homeUrl ?? url) }, "sojourn_home.storage_identity")),
      baseUrl: () => baseUrl,
      random,
      crowd: 24,
      companies: 2,
      keyed: 1
    })
    const { crowd, ledger, tolerated } = scene
    const workers = await query<Worker>(
      database,
      "select nodename, nodeport from pg_dist_node where shouldhaveshards and noderole = 'primary' order by nodeport"
    )
    const current = async () => (await query<Worker>(database, PLACED))[0]!
    const round = async (what: string, fault: () => Promise<void>, mayRefuse: boolean) => {
      const closedBefore = ledger.closed.size
      crowd.start()
      await pause(random.between(200, 800))
      tolerated.mayRefuse = mayRefuse
      const began = performance.now()
      const before = ledger.acknowledged()
      await fault()
      const ended = performance.now()
      const meanwhile = ledger.acknowledged() - before
      await crowd.servedSince(ended)
      const served = performance.now()
      tolerated.mayRefuse = false
      await pause(random.between(200, 800))
      await crowd.settle()
      await scene.audit(database, closedBefore)
      say(
        `${what} in ${Math.round(ended - began)} ms, ${meanwhile} acknowledged meanwhile, all served ${Math.round(served - ended)} ms later; ` +
          `${ledger.acknowledged()} acknowledged, ${ledger.ambiguous()} ambiguous, ${ledger.faults.length} faults`
      )
    }
    for (let n = 0; n < moves && ledger.faults.length === 0; n++) {
      const { nodeport } = await current()
      const to = workers.find((worker) => worker.nodeport !== nodeport)!
      const move = `select citus_schema_move('sojourn', '${to.nodename}', ${to.nodeport})`
      await round(`move ${n + 1}`, () => moveBy(url, move), false)
    }
    for (let n = 0; n < kills && ledger.faults.length === 0; n++) {
      const { nodeport } = await current()
      await round(`kill ${n + 1}`, async () => void (await run(killCommand!, { PORT: String(nodeport) })), true)
    }
    for (let n = 0; n < outages && ledger.faults.length === 0; n++) {
      const stop = () => run(outageCommand!, { PORT: new URL(url).port })
      await round(`outage ${n + 1} of the coordinator`, async () => void (await stop()), false)
    }
    for (let n = 0; n < failovers && ledger.faults.length === 0; n++) {
      const { nodename, nodeport } = await current()
      const STANDBY = await run(standbyCommand!, { PORT: String(nodeport) })
      const update = `select citus_update_node(nodeid, nodename, ${STANDBY}) from pg_dist_node where nodename = '${nodename}' and nodeport = ${nodeport}`
      const failover = async () => {
        await run(failoverCommand!, { PORT: String(nodeport), STANDBY })
        await administer(url, update)
      }
      await round(`failover ${n + 1}`, failover, true)
    }
    if (ledger.faults.length > 0) say(server.said())
    await scene.close()
    return { acknowledged: ledger.acknowledged(), ambiguous: ledger.ambiguous(), faults: ledger.faults }
  } finally {
    await server.end()
    await rm(data, { recursive: true, force: true })
    await clear(url)
  }
}

if (import.meta.main) {
  const [moves = 20, kills = 10, seed = Math.floor(Math.random() * 2 ** 31), outages = 0, failovers = 0] = process.argv
    .slice(2)
    .map(Number)
  if (citusUrl === undefined) throw new Error("SOJOURN_CITUS_URL names no coordinator")
  if (killCommand === undefined && kills > 0) throw new Error("SOJOURN_CITUS_KILL names no command")
  if ((outageCommand === undefined || homeUrl === undefined) && outages > 0) {
    throw new Error("outages need SOJOURN_CITUS_OUTAGE and SOJOURN_CITUS_HOME")
  }
  if ((standbyCommand === undefined || failoverCommand === undefined) && failovers > 0) {
    throw new Error("failovers need SOJOURN_CITUS_STANDBY and SOJOURN_CITUS_FAILOVER")
  }
  console.log(`seed ${seed}`)
  const options = { url: citusUrl, moves, kills, outages, failovers, seed, say: console.log }
  const { acknowledged, ambiguous, faults } = await runCitus(options)
  for (const { kind, what } of faults) console.log(`${kind}: ${what}`)
  console.log(`${acknowledged} movements acknowledged, ${ambiguous} ambiguous at first, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

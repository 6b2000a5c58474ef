/**
 * A cell on Citus under load, for the test and for `npm run citus -- [moves] [kills] [seed]`: Citus moves the cell's schema from worker to worker,
 * workers are killed, and an audit compares what clients were answered with what the coordinator reads.
 *
 * SOJOURN_CITUS_URL names the coordinator of a cluster of tests: the cell is its schema `sojourn`, which must not be there. SOJOURN_CITUS_KILL is a
 * command that kills the worker at the port in its environment (PORT), and starts it again.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { layerClient } from "@sojourn/adapter-postgres"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { query } from "./audit.database.ts"
import type { Fault } from "./Ledger.ts"
import { randomness } from "./randomness.ts"
import { keysIn, makeScene } from "./scene.ts"
import { sojourn } from "./SojournProcess.ts"

export const { SOJOURN_CITUS_URL: citusUrl, SOJOURN_CITUS_KILL: killCommand } = process.env

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
  for (const schema of ["sojourn", "sojourn_home"]) await administer(url, `drop schema if exists ${schema} cascade`)
  await administer(url, "select count(*) from run_command_on_workers('drop schema if exists sojourn_placed cascade')")
}

/** Moves the schema, and then kills the worker that has it, so many times. */
export const runCitus = async ({ url, moves, kills, seed, say = () => {} }: Options): Promise<CitusReport> => {
  const database = { url: Redacted.make(url) }
  const data = await mkdtemp(join(tmpdir(), "sojourn-citus-"))
  const cells = join(data, "cells.json")
  await writeFile(
    cells,
    JSON.stringify({
      cells: [
        { number: 0, url, schema: "sojourn_home", weight: 0 },
        { number: 1, url, schema: "sojourn", citus: true, weight: 1 }
      ]
    })
  )
  const server = sojourn("serve", "--cells", cells, "--data", data, "--port", "0")
  try {
    const baseUrl = await server.listening
    const random = randomness(seed)
    const scene = await makeScene({
      ...(await keysIn(data)),
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
      await fault()
      const ended = performance.now()
      await crowd.servedSince(ended)
      const served = performance.now()
      tolerated.mayRefuse = false
      await pause(random.between(200, 800))
      await crowd.settle()
      await scene.audit(database, closedBefore)
      say(
        `${what} in ${Math.round(ended - began)} ms, all served ${Math.round(served - ended)} ms later; ` +
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
      const kill = () =>
        promisify(execFile)("sh", ["-c", killCommand!], { env: { ...process.env, PORT: String(nodeport) } })
      await round(`kill ${n + 1}`, async () => void (await kill()), true)
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
  const [moves = "20", kills = "10", seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2)
  if (citusUrl === undefined) throw new Error("SOJOURN_CITUS_URL names no coordinator")
  if (killCommand === undefined && Number(kills) > 0) throw new Error("SOJOURN_CITUS_KILL names no command")
  console.log(`seed ${seed}`)
  const options = { url: citusUrl, moves: Number(moves), kills: Number(kills), seed: Number(seed), say: console.log }
  const { acknowledged, ambiguous, faults } = await runCitus(options)
  for (const { kind, what } of faults) console.log(`${kind}: ${what}`)
  console.log(`${acknowledged} movements acknowledged, ${ambiguous} ambiguous at first, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

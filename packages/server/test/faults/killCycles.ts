/**
 * `npm run kill-cycles -- [group] [cycles] [seed]`: kills the server, or three servers on one database, and PostgreSQL at random moments,
 * and audits the data, the events and, of a group, the deliveries of webhooks.
 */
import { runKillCycles } from "./cycles.ts"

const isGroup = process.argv[2] === "group"
const numbers = process.argv.slice(isGroup ? 3 : 2)
if (numbers.some((argument) => !/^[1-9]\d*$/.test(argument))) {
  console.error("usage: npm run kill-cycles -- [group] [cycles] [seed]")
  process.exit(2)
}
const [cycles = "100", seed = String(Math.floor(Math.random() * 2 ** 31))] = numbers

const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort())

const median = (times: ReadonlyArray<number>) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

console.log(`seed ${seed}`)
const began = performance.now()
const options = { isGroup, cycles: Number(cycles), seed: Number(seed), say: console.log, stop: stop.signal }
const report = await runKillCycles(options)
for (const [kill, times] of report.recoveries) {
  console.log(
    `${kill} killed ${times.length} times: served again after ${Math.round(median(times))} ms in the middle, ` +
      `${Math.round(Math.max(...times))} ms at most`
  )
}
for (const { kind, what } of report.faults) console.log(`${kind}: ${what}`)
const count = (kind: string) => report.faults.filter((fault) => fault.kind === kind).length
console.log(
  `seed ${seed}: ${report.cycles} cycles in ${Math.round((performance.now() - began) / 1000)} s, ` +
    `${report.acknowledged} movements acknowledged, ${report.ambiguous} ambiguous at first, ` +
    `${report.events} events on streams that were resumed ${report.resumed} times, ` +
    `${report.delivered} deliveries of webhooks, ${report.again} of them again, ` +
    `${count("lost")} lost, ${count("doubled")} doubled, ${count("wrong")} wrong`
)
process.exitCode = report.faults.length === 0 ? 0 : 1

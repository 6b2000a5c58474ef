/** `npm run kill-cycles -- [cycles] [seed]`: kills the server and its PostgreSQL at random moments, and audits the data. */
import { runKillCycles } from "./cycles.ts"

if (process.argv.slice(2).some((argument) => !/^[1-9]\d*$/.test(argument))) {
  console.error("usage: npm run kill-cycles -- [cycles] [seed]")
  process.exit(2)
}
const [cycles = "100", seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2)

const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort())

const median = (times: ReadonlyArray<number>) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

console.log(`seed ${seed}`)
const began = performance.now()
const report = await runKillCycles({ cycles: Number(cycles), seed: Number(seed), say: console.log, stop: stop.signal })
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
    `${report.acknowledged} movements acknowledged, ${report.told} events told, ${report.ambiguous} ambiguous at first, ` +
    `${count("lost")} lost, ${count("doubled")} doubled, ${count("wrong")} wrong`
)
process.exitCode = report.faults.length === 0 ? 0 : 1

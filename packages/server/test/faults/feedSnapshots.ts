/**
 * `npm run feed-snapshots -- [snapshots] [seed]`: looks, in snapshots of a database under load by three servers, whether the open stays of
 * all premises are what was published and what is pending.
 */
import { sampleFeeds } from "./sampling.ts"

const numbers = process.argv.slice(2)
if (numbers.some((argument) => !/^[1-9]\d*$/.test(argument))) {
  console.error("usage: npm run feed-snapshots -- [snapshots] [seed]")
  process.exit(2)
}
const [snapshots = "10000", seed = String(Math.floor(Math.random() * 2 ** 31))] = numbers

const began = performance.now()
const report = await sampleFeeds({ snapshots: Number(snapshots), seed: Number(seed), say: console.log })
for (const violation of report.violations.slice(0, 20)) console.log(violation)
for (const { kind, what } of report.faults) console.log(`${kind}: ${what}`)
const endings = Object.entries(report.endings).map(([way, count]) => `${count} ${way}`)
console.log(
  `seed ${seed}: ${report.snapshots} snapshots in ${Math.round((performance.now() - began) / 1000)} s, ${report.distinct} of them ` +
    `distinct, ${report.pending} with pending changes; ${report.acknowledged} movements acknowledged, ${endings.join(", ")}, ` +
    `${report.events} events; ${report.violations.length} violations, ${report.faults.length} faults`
)
process.exitCode = report.violations.length + report.faults.length === 0 ? 0 : 1

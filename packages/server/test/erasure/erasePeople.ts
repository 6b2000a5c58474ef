/** `npm run erase-people -- [people]`: creates data about people on a real server, erases them, and scans for traces. */
import { erasePeople } from "./run.ts"

const [people = "1000", ...rest] = process.argv.slice(2)
if (rest.length > 0 || !/^[1-9]\d{0,4}$/.test(people)) {
  console.error("usage: npm run erase-people -- [people]")
  process.exit(2)
}

const report = await erasePeople(Number(people), console.log)
for (const [name, found] of report.before) console.log(`before: ${name} has traces of ${found} people`)
console.log(`erased: ${JSON.stringify(report.erased)}`)
console.log(`ledgers: ${JSON.stringify(report.ledger)}; reports lost ${report.reportsLost} seconds`)
console.log(
  `an erasure took ${report.took.middle.toFixed(1)} ms in the middle, ${report.took.longest.toFixed(1)} at most`
)
for (const trace of report.traces) console.log(`TRACE in ${trace}`)
console.log(`${report.people} people erased, ${report.inside} counted, ${report.traces.length} traces`)
process.exitCode = report.traces.length + report.inside === 0 ? 0 : 1

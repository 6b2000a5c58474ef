/**
 * `npm run growth`: measures movements, a counter, access lists and a report with ever more closed stays. It fails when a movement or a
 * counter costs PostgreSQL more with a long history than with a short one.
 */
import { Effect } from "effect"
import { faultsOf, grow, report, USUAL } from "./growth/grow.ts"
import { command, listOf, positive, requireWords } from "./shared/command.ts"

const USAGE = `usage: npm run growth -- [sizes]

  sizes  how many closed stays to measure with (default ${USUAL.sizes.join(",")})`

command(USAGE, {}, (args) => {
  requireWords(args, 1)
  const [text] = args.positionals
  const sizes = text === undefined ? USUAL.sizes : listOf(text, positive)
  return Effect.gen(function* () {
    const measured = yield* grow({ ...USUAL, sizes }, (line) => console.error(line))
    console.log(`\n${report(measured)}\n`)
    const faults = faultsOf(measured)
    for (const fault of faults) console.log(fault)
    return faults.length === 0 ? 0 : 1
  })
})

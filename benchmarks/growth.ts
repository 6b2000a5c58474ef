/**
 * `npm run growth`: measures movements, a counter, access lists, a report and forgetting with ever more closed stays. It fails when a movement or a
 * counter costs PostgreSQL more with a long history than with a short one.
 */
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { faultsOf, grow, report, USUAL } from "./growth/grow.ts"
import { requireFaultless, runCommand } from "./shared/command.ts"

const growth = Command.make(
  "growth",
  {
    sizes: Argument.Int("sizes").pipe(
      Argument.withDescription(`How many closed stays to measure with; none: ${USUAL.sizes.join(", ")}`),
      Argument.variadic({ min: 0 })
    ),
    partitionRows: Flag.Int("partition-rows").pipe(
      Flag.withDescription("How many closed stays fill a partition"),
      Flag.withDefault(USUAL.partitionRows)
    )
  },
  Effect.fnUntraced(function* ({ sizes, partitionRows }) {
    const growth = { ...USUAL, partitionRows }
    const measured = yield* grow(sizes.length === 0 ? growth : { ...growth, sizes }, console.error)
    yield* Console.log(`\n${report(measured)}\n`)
    yield* requireFaultless(faultsOf(measured))
  })
)

runCommand(growth)

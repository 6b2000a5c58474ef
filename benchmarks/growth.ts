/**
 * `npm run growth`: measures movements, a counter, access lists, a report and forgetting with ever more closed stays. It fails when a movement or a
 * counter costs PostgreSQL more with a long history than with a short one.
 */
import { Console, Effect, Option } from "effect"
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
    ),
    own: Flag.Int("own").pipe(
      Flag.withDescription(
        "How many of the closed stays belong to the organizations that are measured, in the last month; all unless set"
      ),
      Flag.withDefault(USUAL.ownStays)
    ),
    buffers: Flag.String("shared-buffers").pipe(
      Flag.withDescription("The memory of PostgreSQL for pages, such as 2GB"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ sizes, partitionRows, own, buffers }) {
    const settings = Option.match(buffers, {
      onNone: () => USUAL.settings,
      onSome: (size) => ({ ...USUAL.settings, shared_buffers: size })
    })
    const growth = { ...USUAL, partitionRows, ownStays: own, settings }
    const measured = yield* grow(sizes.length === 0 ? growth : { ...growth, sizes }, console.error)
    yield* Console.log(`\n${report(measured)}\n`)
    yield* requireFaultless(faultsOf(measured))
  })
)

runCommand(growth)

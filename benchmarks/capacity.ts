/**
 * `npm run capacity`: simulates servers and lanes on machines that are not at hand, and derives the plan of docs/capacity.md from it. With
 * `--measure` it measures what the plan reads, instead.
 */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { measure, reportMeasured, USUAL } from "./capacity/measure.ts"
import { TABLES } from "./capacity/tables.ts"
import { runCommand } from "./shared/command.ts"

const capacity = Command.make(
  "capacity",
  {
    measure: Flag.Boolean("measure").pipe(
      Flag.withDescription("Measure bytes of WAL and rows, batches and publishing on an embedded PostgreSQL"),
      Flag.withDefault(false)
    ),
    organizations: Flag.Int("organizations").pipe(
      Flag.withDescription("How many organizations to measure with; half of them are anonymous"),
      Flag.withDefault(USUAL.organizations)
    )
  },
  Effect.fnUntraced(function* ({ measure: isMeasured, organizations }) {
    if (isMeasured) {
      return yield* Console.log(`\n${reportMeasured(yield* measure({ ...USUAL, organizations }, console.error))}`)
    }
    for (const table of Object.values(TABLES)) yield* Console.log(`${table()}\n`)
  })
)

runCommand(capacity)

/**
 * `npm run compare`: measures the server's bundle beside services written by hand, on one PostgreSQL. It fails when a candidate answers
 * wrongly, and judges no figure.
 */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { compare } from "./compare/compare.ts"
import { comparisonOf, FLAGS } from "./compare/flags.ts"
import { report } from "./compare/tables.ts"
import { runCommand } from "./shared/command.ts"

const command = Command.make(
  "compare",
  FLAGS,
  Effect.fnUntraced(function* (flags) {
    const compared = yield* compare(comparisonOf(flags), console.error)
    yield* Console.log(`\n${report(compared)}`)
  })
)

runCommand(command)

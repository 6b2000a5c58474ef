/** `npm run files`: callers read files of accesses, beside a counter. It fails when a file lacks an access. */
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { faultsOf, measureFiles, tableOf, USUAL } from "./files/files.ts"
import { requireFaultless, runCommand } from "./shared/command.ts"

const files = Command.make(
  "files",
  {
    callers: Argument.Int("callers").pipe(
      Argument.withDescription(`How many callers read a file at once; none: ${USUAL.callers.join(", ")}`),
      Argument.variadic({ min: 0 })
    ),
    accesses: Flag.Int("accesses").pipe(
      Flag.withDescription("How many accesses a file has"),
      Flag.withDefault(USUAL.accesses)
    ),
    places: Flag.Int("places").pipe(
      Flag.withDescription("In how many places besides the organization they are"),
      Flag.withDefault(USUAL.places)
    )
  },
  Effect.fnUntraced(function* ({ callers, ...run }) {
    const measured = yield* measureFiles({ ...run, callers: callers.length === 0 ? USUAL.callers : callers })
    yield* Console.log(tableOf(measured))
    yield* requireFaultless(faultsOf(run, measured))
  })
)

runCommand(files)

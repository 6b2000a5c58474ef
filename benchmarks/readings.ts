/**
 * `npm run readings`: readings of many devices arrive at a server at a rate, beside movements. It fails when what is counted at the end is
 * not what was sent, or a movement is lost.
 */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { faultsOf, measureReadings, tableOf, USUAL } from "./readings/readings.ts"
import { requireFaultless, runCommand } from "./shared/command.ts"

const count = (flag: string, name: keyof typeof USUAL, description: string) =>
  Flag.Int(flag).pipe(Flag.withDescription(description), Flag.withDefault(USUAL[name]))

const readings = Command.make(
  "readings",
  {
    organizations: count("organizations", "organizations", "How many organizations have devices"),
    devicesEach: count("devices", "devicesEach", "How many devices each of them has"),
    readings: count("readings", "readings", "How many readings arrive a second"),
    movements: count("movements", "movements", "How many movements arrive a second, in another organization"),
    seconds: count("seconds", "seconds", "How long they arrive")
  },
  Effect.fnUntraced(function* (run) {
    const measured = yield* measureReadings(run)
    yield* Console.log(tableOf(measured))
    yield* requireFaultless(faultsOf(measured))
  })
)

runCommand(readings)

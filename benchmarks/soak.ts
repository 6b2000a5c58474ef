/**
 * `npm run soak`: loads a server at half of its capacity for a long time, and prints a sample each minute. It fails when memory or
 * descriptors grow, anything is refused or fails, or a movement is lost.
 */
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { requireFaultless, runCommand } from "./shared/command.ts"
import { soak } from "./soak/soak.ts"

const command = Command.make(
  "soak",
  { minutes: Argument.Finite("minutes").pipe(Argument.withDefault(30)) },
  Effect.fnUntraced(function* ({ minutes }) {
    const seconds = 60 * minutes
    const every = Math.min(60, Math.max(1, seconds / 20))
    const { acknowledged, faults } = yield* soak({ seconds, every }, console.log)
    yield* Console.log(`${acknowledged.entrances + acknowledged.exits} movements acknowledged`)
    yield* requireFaultless(faults)
  })
)

runCommand(command)

/**
 * `npm run live`: moves a crowd in front of a server with subscribers of `GET /presence/stream`, and measures the delay of events and
 * what they cost. It fails when a subscriber misses an event, receives one twice or a wrong one, or a movement is lost.
 */
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { faultsOf, measure, SCENES, tableOf } from "./live/scenes.ts"
import { requireFaultless, runCommand } from "./shared/command.ts"

const live = Command.make(
  "live",
  {
    scenes: Argument.Literals(
      "scenes",
      SCENES.map(({ name }) => name)
    ).pipe(Argument.variadic({ min: 0 })),
    seconds: Flag.Finite("seconds").pipe(
      Flag.withDescription("How long movements arrive in each scene"),
      Flag.withDefault(20)
    )
  },
  Effect.fnUntraced(function* ({ scenes, seconds }) {
    const chosen = SCENES.filter(({ name }) => scenes.length === 0 || scenes.includes(name))
    const measured = yield* Effect.forEach(chosen, (scene) =>
      Effect.andThen(Console.error(scene.name), measure(scene, seconds))
    )
    yield* Console.log(`\n${tableOf(measured)}`)
    yield* requireFaultless(measured.flatMap(faultsOf))
  })
)

runCommand(live)

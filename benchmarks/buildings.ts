/** `npm run buildings`: makes a building of many floors and rooms over HTTP, and measures how long it and each change of it takes. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { measureBuilding, tableOf, USUAL } from "./buildings/building.ts"
import { runCommand } from "./shared/command.ts"

const count = (name: "floors" | "rooms" | "times", description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withDefault(USUAL[name]))

const buildings = Command.make(
  "buildings",
  {
    storage: Flag.Literals("storage", ["embedded", "memory"]).pipe(Flag.withDefault(USUAL.storage)),
    floors: count("floors", "How many floors the building has"),
    rooms: count("rooms", "How many rooms each floor has"),
    times: count("times", "How often each change is made")
  },
  Effect.fnUntraced(function* (building) {
    yield* Console.log(tableOf(yield* measureBuilding(building)))
  })
)

runCommand(buildings)

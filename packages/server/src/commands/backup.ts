/** The command `sojourn backup`. */
import * as Command from "effect/cli/Command"
import { Console, Effect } from "effect"
import { existsSync } from "node:fs"
import { backUp } from "../backup/database.ts"
import { keysIn } from "../backup/keys.ts"
import { StartupError } from "@sojourn/service"
import { databaseOf } from "../storage/index.ts"
import { required, yes } from "./flags.ts"
import { choose, placeFlags } from "./storage.ts"

export const backup = Command.make(
  "backup",
  {
    to: required("to", "The file to write, in the place of an older one of that name"),
    ...placeFlags,
    withoutKeys: yes("without-keys", "Leave out the keys in --data, where they are kept elsewhere")
  },
  Effect.fnUntraced(function* ({ to, withoutKeys, ...flags }) {
    const choice = yield* choose(flags)
    if (choice._tag === "Embedded" && !existsSync(choice.directory)) {
      return yield* new StartupError({ message: `${choice.directory} is not there: nothing was kept in it yet` })
    }
    const keys = withoutKeys ? {} : yield* keysIn(flags.data)
    const rows = yield* backUp(yield* databaseOf(choice, "share"), keys, to)
    const names = Object.keys(keys)
    yield* Console.log(`${to}: ${rows} rows, ${names.length === 0 ? "no keys" : `and ${names.join(" and ")}`}`)
  }, Effect.scoped)
).pipe(Command.withDescription("Writes everything that is stored into one file, as it is at one moment; servers go on"))

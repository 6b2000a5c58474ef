import { saveDatabase } from "@sojourn/adapter-postgres"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { FORMAT } from "../backup/format.ts"
import { keysIn } from "../backup/keys.ts"
import { writeBackup } from "../backup/write.ts"
import { databaseOf, layerDatabase } from "../storage/database.ts"
import { explained } from "../storage/explain.ts"
import { version } from "../version.ts"
import { required, yes } from "./flags.ts"
import { choose, placeFlags } from "./storage.ts"

export const backup = Command.make(
  "backup",
  {
    to: required("to", "The file to write, in the place of an older one of that name"),
    ...placeFlags,
    withoutKeys: yes("without-keys", "Leave out the keys in --data, for whoever keeps them elsewhere")
  },
  Effect.fnUntraced(function* ({ to, withoutKeys, ...flags }) {
    const address = yield* databaseOf(yield* choose(flags), "share")
    const keys = withoutKeys ? {} : yield* keysIn(flags.data)
    const rows = yield* writeBackup(to, (writer) =>
      saveDatabase({
        begin: (snapshot) => writer.head({ sojournBackup: FORMAT, version, ...snapshot, keys }),
        write: writer.rows
      }).pipe(Effect.provide(layerDatabase(address)), Effect.mapError(explained))
    )
    const held = Object.keys(keys)
    const secrets = held.length === 0 ? "without any keys" : `with ${held.join(" and ")}`
    yield* Console.log(`${to}: ${rows} rows, ${secrets}: keep it like a password`)
  }, Effect.scoped)
).pipe(Command.withDescription("Writes everything that is stored into one file, as it is at one moment; servers go on"))

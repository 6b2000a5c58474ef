/** The command `sojourn restore`. */
import { SCHEMA_VERSION, SchemaTooNew } from "@sojourn/adapter-postgres"
import * as Command from "effect/cli/Command"
import { Console, Effect } from "effect"
import { restoreInto } from "../backup/database.ts"
import { requireNoOtherKeys } from "../backup/keys.ts"
import { checkBackup } from "../backup/read.ts"
import { databaseOf } from "../storage/index.ts"
import { explain } from "@sojourn/service"
import { TOKEN_KEYS_FILE } from "../keys/TokenKeys.ts"
import { required } from "./flags.ts"
import { choose, placeFlags } from "./storage.ts"

export const restore = Command.make(
  "restore",
  { from: required("from", "The file that `sojourn backup` wrote"), ...placeFlags },
  Effect.fnUntraced(function* ({ from, ...flags }) {
    const choice = yield* choose(flags)
    // Whatever can be refused is refused before anything is changed.
    const head = yield* checkBackup(from)
    if (head.schema > SCHEMA_VERSION) {
      return yield* explain(new SchemaTooNew({ found: head.schema, known: SCHEMA_VERSION }))
    }
    yield* requireNoOtherKeys(flags.data, head.keys)
    const location = yield* databaseOf(choice, "refuse")
    const rows = yield* restoreInto(location, head, from, flags.data)
    yield* Console.log(`${from}: ${rows} rows of ${head.takenAt} are restored, at schema version ${SCHEMA_VERSION}`)
    if (head.keys[TOKEN_KEYS_FILE] === undefined) {
      yield* Console.error(
        "the backup held no exit-token keys: bring yours before you serve, or no open stay can be left"
      )
    }
  }, Effect.scoped)
).pipe(Command.withDescription("Puts a backup into an empty storage, and brings it to the current schema"))

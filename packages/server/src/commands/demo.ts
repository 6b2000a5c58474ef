import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.ts"
import { tryOut } from "../demo/commands.ts"
import { loadDemo } from "../demo/load.ts"
import { issuerKey } from "../IssuerKey.ts"
import { data, server } from "./flags.ts"

export const demo = Command.make(
  "demo",
  { data, server },
  Effect.fnUntraced(function* ({ data, server }) {
    const loaded = yield* Effect.mapError(
      loadDemo(server, yield* issuerKey(data)),
      (error) => new CommandFailed({ message: `the demo cannot be loaded into ${server}: ${error._tag}` })
    )
    yield* Console.log(tryOut(server, loaded))
  })
).pipe(Command.withDescription("Loads a small demo into a running server, and prints commands to try"))

import type { OwnIssuer } from "@sojourn/adapter-jwt"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.ts"
import { tryOut } from "../demo/commands.ts"
import { loadDemo } from "../demo/load.ts"
import { issuerKey } from "../IssuerKey.ts"
import { data, server } from "./flags.ts"

/** Loads the demo into a running server, and answers the commands to try there. */
export const demonstrate = (baseUrl: string, key: OwnIssuer.SigningKey) =>
  loadDemo(baseUrl, key).pipe(
    Effect.map((loaded) => tryOut(baseUrl, loaded)),
    Effect.mapError(
      (error) => new CommandFailed({ message: `the demo cannot be loaded into ${baseUrl}: ${error._tag}` })
    )
  )

export const demo = Command.make(
  "demo",
  { data, server },
  Effect.fnUntraced(function* ({ data, server }) {
    yield* Console.log(yield* demonstrate(server, yield* issuerKey(data)))
  })
).pipe(Command.withDescription("Loads a small demo into a running server, and prints commands to try"))

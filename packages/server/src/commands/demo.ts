import type { OwnIssuer } from "@sojourn/adapter-jwt"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { existsSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { tryOut } from "../demo/commands.ts"
import { loadDemo } from "../demo/load.ts"
import { issuerKey } from "../IssuerKey.ts"
import { data, server } from "./flags.ts"

/** Its being there says that the demo was loaded into the storage of a data directory. */
const LOADED = "demo-loaded"

/** Loads the demo into a running server, and answers the commands to try there. */
export const demonstrate = (baseUrl: string, key: OwnIssuer.SigningKey, isLoaded = Option.none<boolean>()) =>
  loadDemo(baseUrl, key, isLoaded).pipe(
    Effect.map((loaded) => tryOut(baseUrl, loaded)),
    Effect.mapError(
      (error) => new CommandFailed({ message: `the demo cannot be loaded into ${baseUrl}: ${error._tag}` })
    )
  )

/** The same, once for the storage that lives in this data directory: what became of the demo since is left alone. */
export const demonstrateOnce = Effect.fnUntraced(function* (baseUrl: string, key: OwnIssuer.SigningKey, data: string) {
  const mark = path.join(data, LOADED)
  const text = yield* demonstrate(baseUrl, key, Option.some(existsSync(mark)))
  writeFileSync(mark, "")
  return text
})

export const demo = Command.make(
  "demo",
  { data, server },
  Effect.fnUntraced(function* ({ data, server }) {
    yield* Console.log(yield* demonstrate(server, yield* issuerKey(data)))
  })
).pipe(Command.withDescription("Loads a small demo into a running server, and prints commands to try"))

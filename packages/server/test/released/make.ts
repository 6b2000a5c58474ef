/** `npm run release-fixture -- <version>`: stores a backup and the answers of this version, to test later versions with. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { existsSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { makeRelease } from "./releases.ts"

const version = process.argv[2] ?? ""
const at = (extension: string) => fileURLToPath(new URL(`${version}.${extension}`, import.meta.url))

const program = Effect.gen(function* () {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return yield* Effect.die("give the version that is released: 0.1.0")
  if (existsSync(at("backup"))) return yield* Effect.die(`${at("backup")} is there: what was released never changes`)
  const world = yield* makeRelease(at("backup"))
  writeFileSync(at("json"), `${JSON.stringify(world, undefined, 2)}\n`)
  yield* Console.log(`${at("backup")}\n${at("json")}`)
})

program.pipe(
  Effect.scoped,
  Effect.provide([EmbeddedPostgres.layerTemporary(), NodeServices.layer]),
  NodeRuntime.runMain
)

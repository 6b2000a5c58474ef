/**
 * A page that tracks the browser it is open in, beside a reference server in memory.
 *
 *   main.ts 45.4064,11.8768    serves it with areas around this position, until it is stopped
 *   main.ts                    looks whether everything is served, and ends
 */
import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { servePhonePage } from "./serving.ts"

const [at] = process.argv.slice(2)
const [latitude = 45.4064, longitude = 11.8768] = at?.split(",").map(Number) ?? []

const program = Effect.gen(function* () {
  const { url, counter } = yield* servePhonePage([latitude, longitude])
  console.log(`open ${url}`)
  if (at !== undefined) return yield* Effect.never

  const get = (path: string) => Effect.promise(() => fetch(url + path).then((response) => response.text()))
  assert.match(yield* get("/"), /This phone/)
  assert.match(yield* get("/page.js"), /watchPosition/)
  assert.match(yield* get("/settings.json"), /organizationId/)
  assert.equal((yield* counter).counter, 0)
})

await Effect.runPromise(Effect.scoped(Effect.provide(program, NodeServices.layer)))

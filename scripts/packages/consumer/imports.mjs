/** Imports every module that its arguments name, and requires it: neither prints, changes a global, listens or keeps Node alive. */
import assert from "node:assert/strict"
import { createRequire } from "node:module"

const types = [Object, Function, Array, String, Number, Promise, Map, Set]
const shared = [globalThis, process.env, JSON, Math, ...types, ...types.map(({ prototype }) => prototype)]

const look = () => ({
  members: shared.map((one) => Reflect.ownKeys(one).filter((key) => !String(key).startsWith("Symbol(undici."))),
  listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
  alive: process.getActiveResourcesInfo().toSorted(),
  exitCode: process.exitCode
})

const before = look()
const require = createRequire(import.meta.url)
for (const module of process.argv.slice(2)) {
  await import(module)
  require(module)
}
await new Promise((resolve) => setImmediate(resolve))
assert.deepEqual(look(), before)

/**
 * Imports the modules that its arguments name, and says as JSON on its last line what that changed in the process besides the
 * memory it takes: names and values of globals and of what all share, listeners, the environment, and what keeps Node alive.
 */
const shared = [
  globalThis,
  process.env,
  ...["Object", "Function", "Array", "String", "Number", "Promise", "Map", "Set"]
    .map((name) => globalThis[name])
    .flatMap((type) => [type, type.prototype]),
  JSON,
  Math,
  Reflect,
  Symbol,
  Error,
  Date
]

/** Getters are looked at, and not asked: some of Node's load a module for it. */
const members = (object) =>
  new Map(
    Reflect.ownKeys(object).map((key) => {
      const { value, get } = Object.getOwnPropertyDescriptor(object, key)
      return [key, get ?? value]
    })
  )

const look = () => ({
  members: shared.map(members),
  listeners: Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)])),
  alive: process.getActiveResourcesInfo().toSorted(),
  exitCode: process.exitCode,
  cwd: process.cwd()
})

const before = look()
for (const module of process.argv.slice(2)) await import(module)
await new Promise((resolve) => setImmediate(resolve))
const after = look()

const changed = after.members.flatMap((now, index) =>
  [...new Set([...now.keys(), ...before.members[index].keys()])]
    .filter((key) => !Object.is(now.get(key), before.members[index].get(key)))
    // Node's own fetch, which Node loads at the first access.
    .filter((key) => !String(key).startsWith("Symbol(undici."))
    .map((key) => `global ${String(key)}`)
)
const others = ["listeners", "alive", "exitCode", "cwd"].filter(
  (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
)
console.log(JSON.stringify([...changed, ...others.map((name) => `${name}: ${JSON.stringify(after[name])}`)]))

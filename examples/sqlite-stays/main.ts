/** An adapter of one's own at work: stays in a file of SQLite, which is closed and opened again while a person is inside. */
import { NodeFileSystem } from "@effect/platform-node"
import * as Memory from "@sojourn/adapter-memory"
import * as Sojourn from "@sojourn/core"
import { Effect, FileSystem, Layer } from "effect"
import assert from "node:assert/strict"
import { layerStayLog } from "./SqliteStayLog.ts"

const tim = Sojourn.User(Sojourn.UserId.make("tim"))
const ada = { administratorId: Sojourn.AdministratorId.make("ada"), mail: Sojourn.Mail.make("ada@example.org") }
const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'

const program = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const directory = yield* files.makeTempDirectoryScoped({ prefix: "sqlite-stays-" })

  // What is not in the file lives as long as this program: the other stores, and the key of exit tokens.
  const others = yield* Layer.build(
    Layer.mergeAll(Memory.layerStores, Memory.layerDirectories(new Map()), Sojourn.layerSecretKeysEphemeral)
  )
  /** The use cases on the file, which is open for so long. */
  const onFile = Sojourn.layerServices.pipe(
    Layer.provide(layerStayLog(`${directory}/stays.sqlite`)),
    Layer.provide(Layer.succeedContext(others))
  )

  const entered = yield* Effect.gen(function* () {
    const operator = Sojourn.Operator(Sojourn.OperatorId.make("operator"))
    const draft = { name: "Museum", trackingArea, trackingMode: "anonymous" } as const
    const { id } = yield* Sojourn.Organizations.use((_) => _.create(operator, draft, ada))
    return yield* Sojourn.Movements.use((_) =>
      _.track(tim, { _tag: "Entrance", premises: Sojourn.OrganizationPremises(id) })
    )
  }).pipe(Effect.provide(onFile))
  console.log("entered, and the file is closed:", (yield* files.readDirectory(directory)).join(", "))

  const inside = yield* Effect.gen(function* () {
    const { premises, exitToken } = entered
    const count = Sojourn.Presence.use((_) => _.counter(Sojourn.Administrator(ada.administratorId), premises))
    const before = yield* count
    yield* Sojourn.Movements.use((_) => _.track(tim, { _tag: "Exit", premises, exitToken }))
    return [before.counter, (yield* count).counter]
  }).pipe(Effect.provide(onFile))
  console.log("opened again: inside before and after the exit", inside)
  assert.deepEqual(inside, [1, 0])
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer)))

/**
 * A phone simulator: thousands of phones go through a city's places over HTTP, on a network that breaks, and in the end
 * the server's counters and access lists are what the phones know.
 *
 *   main.ts --phones 5000 --storage embedded
 *   main.ts --url http://127.0.0.1:8080 --data ./sojourn-data    (a server that runs, and the directory of its issuer's key)
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { layerCredentialsOfCaller, makeClient } from "@sojourn/adapter-http/client"
import { User, UserId } from "@sojourn/core"
import { issuerKey } from "@sojourn/server"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { foundCity, inNameOf, someDay } from "./city.ts"
import { takeCensus } from "./census.ts"
import { layerBadNetwork } from "./network.ts"
import { report } from "./phone.ts"
import { makeProgress } from "./progress.ts"
import { serveHere } from "./serving.ts"

/** How many phones are at it at the same moment. */
const AT_ONCE = 64

/** One request in so many breaks. */
const BREAKS_ONE_IN = 20

const flags = {
  phones: Flag.Int("phones").pipe(Flag.withDefault(500), Flag.withDescription("How many phones")),
  storage: Flag.Literals("storage", ["memory", "embedded"]).pipe(
    Flag.withDefault("memory"),
    Flag.withDescription("Where the server of this program keeps everything")
  ),
  url: Flag.String("url").pipe(Flag.optional, Flag.withDescription("A server that is running, in place of one's own")),
  data: Flag.String("data").pipe(
    Flag.withDefault("./sojourn-data"),
    Flag.withDescription("The data directory of that server, with its issuer's key")
  )
}

const phones = Command.make(
  "phones",
  flags,
  Effect.fnUntraced(function* ({ phones, storage, url, data }) {
    const server = Option.isSome(url) ? { url: url.value, key: yield* issuerKey(data) } : yield* serveHere(storage)
    const client = makeClient(server.url).pipe(Effect.provide(layerCredentialsOfCaller))
    const office = yield* Effect.provide(client, FetchHttpClient.layer)
    const phone = yield* Effect.provide(client, layerBadNetwork(BREAKS_ONE_IN))

    const city = yield* foundCity(office, server.key)
    const days = yield* Effect.replicateEffect(someDay(city), phones)
    const movements = days.flat().reduce((sum, { exit }) => sum + (exit === undefined ? 1 : 2), 0)
    let retries = 0
    const watcher = {
      onMovement: makeProgress("movements", movements),
      onRetry: Effect.sync(() => void retries++)
    }

    const reported = yield* Effect.forEach(
      days,
      (day, number) =>
        Effect.flatMap(inNameOf(server.key, User(UserId.make(`phone ${number}`))), (asOwner) =>
          asOwner(Effect.forEach(day, report(phone, watcher)))
        ),
      { concurrency: AT_ONCE }
    )
    yield* Console.log(`${retries} requests broke, and were sent again`)

    const asAnybody = yield* inNameOf(server.key, User(UserId.make("census")))
    const wrong = yield* asAnybody(takeCensus(office, city, reported.flat()))
    yield* Console.log(wrong.length === 0 ? "counters and accesses are what the phones know" : wrong.join("\n"))
    if (wrong.length > 0) return yield* Effect.fail("the server and the phones disagree")
  }, Effect.scoped)
).pipe(Command.withDescription("Drives phones through a city's places, and counts who is where"))

Command.run(phones, { version: "0" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)

/**
 * A phone simulator: thousands of phones go through a city's places, and their trackers tell of it over HTTP, on a network that
 * breaks. In the end the server's counters and access lists are how the day was.
 *
 *   main.ts --phones 5000 --storage embedded
 *   main.ts --url http://127.0.0.1:8080 --data ./sojourn-data    (a server that runs, and the directory of its issuer's key)
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { layerCredentialsOfCaller, makeClient } from "@sojourn/adapter-http/client"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { User, UserId } from "@sojourn/core"
import { issuerKey } from "@sojourn/server"
import { Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { foundCity, someDay } from "./city.ts"
import { takeCensus } from "./census.ts"
import { badFetch } from "./network.ts"
import { liveADay } from "./phone.ts"
import { makeProgress } from "./progress.ts"
import { serveHere } from "./serving.ts"

/** How many phones are at it at the same moment. */
const AT_ONCE = 64

/** One request in so many breaks. */
const BREAKS_ONE_IN = 20

const flags = {
  phones: Flag.Int("phones").pipe(Flag.withDefault(200), Flag.withDescription("How many phones")),
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
    const office = yield* Effect.provide(makeClient(server.url), [layerCredentialsOfCaller, FetchHttpClient.layer])

    const city = yield* foundCity(office, server.key)
    const days = yield* Effect.replicateEffect(someDay(city), phones)
    const progress = makeProgress("phones", phones)
    let broken = 0
    const fetch = badFetch(BREAKS_ONE_IN, () => void broken++)

    const lived = yield* Effect.forEach(
      days,
      (day, number) =>
        Effect.gen(function* () {
          const user = User(UserId.make(`phone ${number}`))
          const token = Redacted.value(yield* OwnIssuer.mint(server.key, user, { expiresIn: 86_400 }))
          const { url } = server
          const { organizationId } = city
          const tracker = yield* Effect.promise(() => liveADay({ url, organizationId, token, fetch, day }))
          yield* progress
          return { tracker, day }
        }),
      { concurrency: AT_ONCE }
    )
    yield* Console.log(`${broken} requests broke, and were sent again`)

    const wrong = yield* takeCensus(office, city, lived)
    yield* Console.log(wrong.length === 0 ? "counters and accesses are how the day was" : wrong.join("\n"))
    if (wrong.length > 0) return yield* Effect.fail("the server and the day disagree")
  }, Effect.scoped)
).pipe(Command.withDescription("Drives phones through a city's places, and counts who is where"))

Command.run(phones, { version: "0" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)

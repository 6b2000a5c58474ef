/** The scene `musters`: how long musters of large crowds take, and how long other requests wait meanwhile. */
import { setTimeout as pause } from "node:timers/promises"
import { Operator, OperatorId } from "@sojourn/core"
import { Effect } from "effect"
import { type Asked, bodyOf, makeClient } from "../../packages/server/test/faults/asking.ts"
import { bearer } from "../../packages/server/test/faults/town.ts"
import { rectangle } from "../../packages/server/src/demo/areas.ts"
import { DEMO_SERVER } from "../../packages/server/src/demo/people.ts"
import { connectTo, makePlace, type Place } from "../arrivals/Place.ts"
import { LoadFailed } from "../load/Load.ts"
import { markdown } from "../shared/markdown.ts"
import { childrenOf, usedByAll } from "../shared/Processes.ts"

/** How many people are inside, for each measurement. */
const CROWDS = [1_000, 10_000, 100_000]

/** How many places they are in, beside the organization itself. */
const PLACES = 19

/** How many people one call marks. */
const MARKED = 1_000

/** The pause between two movements, and between two other requests, in milliseconds. */
const BETWEEN = 2

/** A call: how long it took, how long other requests took at most meanwhile, and what it cost; in milliseconds. */
interface Called {
  readonly people: number
  readonly call: string
  readonly took: number
  /** Movements of another organization. */
  readonly movement: number
  /** `GET /health/live`, which needs no database. */
  readonly health: number
  /** Processor time of the server and of PostgreSQL, with that of the other requests. */
  readonly server: number
  readonly postgres: number
}

/** Creates an authenticated organization with places. Returns its id and theirs. */
const createSite = async (place: Place) => {
  const client = makeClient()
  const create = async (path: string, token: string, json: object) => {
    const answer = await client.ask(place.baseUrl, { method: "POST", path, token, json })
    if (answer.status !== 201) throw new LoadFailed({ reason: `${path} was answered with ${answer.status}` })
    return bodyOf<{ readonly id: number }>(answer).id
  }
  const operator = await bearer(place.key, Operator(OperatorId.make("operator")))
  const id = await create("/operator/organization", operator, {
    name: "Campus",
    trackingMode: "authenticated",
    authenticationServerURL: DEMO_SERVER,
    trackingArea: rectangle(11, 45, 12, 46),
    owner: { administratorId: "owner", mail: "owner@example.test" }
  })
  const places: Array<number> = []
  for (let nth = 0; nth < PLACES; nth++) {
    const west = 11.02 + nth * 0.05
    const trackingArea = rectangle(west, 45.1, west + 0.02, 45.2)
    places.push(await create("/place", place.owner, { organizationId: id, trackingArea }))
  }
  client.close()
  return { id, places }
}

/** Adds open stays of people to an organization and its places, and records them for its feed. */
const addPeople = Effect.fnUntraced(function* (
  place: Place,
  { id, places }: { readonly id: number; readonly places: ReadonlyArray<number> },
  people: number
) {
  const sql = yield* connectTo(place)
  const premises = `{${[0, ...places].join()}}`
  yield* sql`
    with opened as (
      insert into open_stay (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
      select ${id}::bigint, (${premises}::bigint[])[1 + n % ${places.length + 1}::int], nextval('stay_id'),
        'person-' || n, 0, now(), now()
      from generate_series(0, ${people}::int - 1) n
      returning organization_id, place_id
    )
    insert into presence_delta (organization_id, place_id, entered, at)
    select organization_id, place_id, count(*), now() from opened group by organization_id, place_id`
}, Effect.scoped)

/** Sends a request again and again until it is stopped. Returns the longest time that an answer took, in milliseconds. */
const repeat = async (place: Place, asked: Asked, isOver: () => boolean) => {
  const client = makeClient()
  let longest = 0
  while (!isOver()) {
    const began = performance.now()
    const { status } = await client.ask(place.baseUrl, asked)
    longest = Math.max(longest, performance.now() - began)
    if (status < 200 || status > 299) throw new LoadFailed({ reason: `${asked.path} was answered with ${status}` })
    await pause(BETWEEN)
  }
  client.close()
  return longest
}

const measure = Effect.fnUntraced(function* (people: number, say: (called: Called) => void) {
  const place = yield* makePlace(["--storage", "embedded", "--request-log", "off"])
  const { baseUrl, organizationId, owner, server, tokens } = place
  const site = yield* Effect.promise(() => createSite(place))
  yield* addPeople(place, site, people)
  const movement: Asked = {
    method: "POST",
    path: "/movement/track/organization",
    token: tokens[0]!,
    json: { organizationId, movementType: 1 }
  }
  const client = makeClient()
  const postgres = () =>
    childrenOf(server.pid)
      .flatMap((child) => [child, ...childrenOf(child)])
      .reduce((sum, one) => sum + (usedByAll(one) ?? 0), 0) / 1000
  const node = () => (usedByAll(server.pid) ?? 0) / 1000
  const ask = async (call: string, asked: Omit<Asked, "token">) => {
    let isOver = false
    const others = Promise.all([
      repeat(place, movement, () => isOver),
      repeat(place, { method: "GET", path: "/health/live" }, () => isOver)
    ])
    await pause(100)
    const before = { server: node(), postgres: postgres() }
    const began = performance.now()
    const answer = await client.ask(baseUrl, { token: owner, ...asked })
    const took = performance.now() - began
    const used = { server: node() - before.server, postgres: postgres() - before.postgres }
    isOver = true
    const [waited, health] = await others
    if (answer.status < 200 || answer.status > 299) {
      throw new LoadFailed({ reason: `${call} was answered with ${answer.status}` })
    }
    say({ people, call, took, movement: waited, health, ...used })
    return answer
  }
  yield* Effect.promise(async () => {
    const path = `/muster/organization/${site.id}`
    const { musterId } = bodyOf<{ readonly musterId: number }>(
      await ask("start", { method: "POST", path, json: { kind: "evacuation" } })
    )
    const muster = `/muster/${musterId}`
    const mark = (count: number) => {
      const orgAuthServerIds = Array.from({ length: count }, (_, nth) => `person-${nth}`)
      return ask(`mark ${count}`, { method: "POST", path: `${muster}/safe`, json: { orgAuthServerIds } })
    }
    await ask("read", { method: "GET", path: muster })
    await ask("read as CSV", { method: "GET", path: muster, headers: { accept: "text/csv" } })
    await mark(1)
    await mark(MARKED)
    await ask("list musters", { method: "GET", path })
    await ask("list who is inside", { method: "GET", path: `/presence/organization/${site.id}/inside` })
    await ask("end", { method: "POST", path: `${muster}/end` })
  })
  client.close()
}, Effect.scoped)

const HEADS = ["People", "Call", "ms", "longest movement", "longest /health/live", "ms of the server", "of PostgreSQL"]

const rowOf = ({ people, call, ...times }: Called) => [
  people.toLocaleString("en"),
  call,
  ...[times.took, times.movement, times.health, times.server, times.postgres].map((time) => time.toFixed(0))
]

/** Measures a muster of each crowd on a server of its own, and tabulates its calls. */
export const musters = (say: (line: string) => void, crowds = CROWDS) =>
  Effect.gen(function* () {
    const rows: Array<ReadonlyArray<string>> = []
    for (const people of crowds) {
      yield* measure(people, (called) => {
        rows.push(rowOf(called))
        say(rowOf(called).join(" | "))
      })
    }
    return markdown([HEADS, ...rows])
  })

/**
 * `npm run abuse -- [memory|embedded|workers] [seconds] [words]`: runs several attacks on a real server, one after the other, or on two workers
 * with an embedded PostgreSQL, and prints the effect of each on other callers, who read a counter. Exit code 1: one of them was refused, or waited longer than
 * {@link LONGEST}.
 */
import { issuerKey } from "@sojourn/server"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { makeCall, makeCallers } from "../callers.ts"
import { makeFixtures, rectangle, square, unique, want } from "../fixtures.ts"
import { makeAgent, send as sendTo } from "../httpClient.ts"
import { sojourn } from "../faults/SojournProcess.ts"
import { startHung } from "../identity/Hung.ts"
import { flagsFor, startReceiver } from "../webhooks/Receiver.ts"
import type { Flood, Sent } from "./attackTools.ts"
import { startBystandersApart } from "./bystanding.ts"
import { musterAttacks, startCrowdedDirectory } from "./musterAttacks.ts"
import { DEMO_HOST, personalDataAttacks } from "./personalDataAttacks.ts"
import { saw, SAWS_GROUND } from "./saws.ts"
import { streamAttacks } from "./streamAttacks.ts"
import { unreadAttacks } from "./unreadAttacks.ts"
import { windowAttacks } from "./windowAttacks.ts"
import { writeAttacks } from "./writeAttacks.ts"

/** The longest that a bystander may wait for a counter, in milliseconds. */
const LONGEST = 300

const [storage = "memory", seconds = "10", wanted = "", ...rest] = process.argv.slice(2)
if (rest.length > 0 || !/^(memory|embedded|workers)$/.test(storage) || !/^[1-9]\d{0,2}$/.test(seconds)) {
  console.error(
    "usage: npm run abuse -- [memory|embedded|workers] [seconds of each attack] [words of the attacks' names]"
  )
  process.exit(2)
}

const HUNG = 32
const KIB = 1024

const data = mkdtempSync(join(tmpdir(), "sojourn-abuse-"))
const callers = makeCallers(await Effect.runPromise(issuerKey(data)), { expiresIn: 7200 })
const owning = callers.administrator("attacker")
const [operator, owner, attacker, outsider, user] = (await Promise.all(
  [
    callers.operator(),
    callers.administrator("the-owner"),
    owning,
    callers.administrator("outsider"),
    callers.user("user")
  ].map(({ token }) => token)
)) as [string, string, string, string, string]

const hung = await Promise.all(Array.from({ length: HUNG }, startHung))
const crowded = await startCrowdedDirectory()
const allowed = [...hung, crowded].flatMap(({ server }) => ["--directory-allow", server])
const receiver = await startReceiver()
const receivers = flagsFor(receiver, data)
const directories = ["--demo-directory", "--directory-allow", DEMO_HOST, ...allowed]
const storing = storage === "workers" ? ["--storage", "embedded", "--workers", "2"] : ["--storage", storage]
const server = sojourn("serve", "--port", "0", ...storing, "--data", data, ...directories, ...receivers)
const baseUrl = await server.listening
const agent = makeAgent(1_024)
const send = ({ headers = {}, ...sent }: Sent) => sendTo(baseUrl, { agent, headers, ...sent })
const fixtures = makeFixtures({ ...callers, call: makeCall(baseUrl, agent) })

const addPlace = async (organizationId: number, trackingArea: string): Promise<number> =>
  want(await fixtures.post(owning, "/place", { organizationId, trackingArea }), 201).json.id
/** Makes an organization of the attacker. */
const organization = async (more: object = {}): Promise<number> =>
  (await fixtures.organization({ owner: { administratorId: owning.id, mail: owning.mail }, ...more })).id

/** Binds a new viewer to organizations of the attacker, and answers the token. */
const viewer = async (organizationIds: ReadonlyArray<number>) => {
  const bound = callers.administrator(unique("viewer"))
  for (const id of organizationIds) await fixtures.bind(id, bound, "viewer", owning)
  return bound.token
}

const tokenOf = async (id: string) => callers.user(id).token

/** After a refusal by overload or rate limit the client waits. */
const flood: Flood = async (callers, next) => {
  const statuses = new Map<number, number>()
  const until = performance.now() + Number(seconds) * 1000
  let count = 0
  const call = async (nth: number) => {
    // Connections that are opened in one instant delay others by themselves.
    await sleep(nth * 2)
    while (performance.now() < until) {
      const { status } = await send(next(count++)).catch(() => ({ status: 0 }))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 429 || status === 503) await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, nth) => call(nth)))
  return statuses
}

/** What everyone may read is read as often as possible. */
const reading = (paths: ReadonlyArray<string>) => async () => () =>
  flood(32, (nth) => ({ method: "GET", path: paths[nth % paths.length]! }))

let ofLongList: Promise<number> | undefined
/** An organization whose list of places has 25 MB. */
const longList = () =>
  (ofLongList ??= (async () => {
    const id = await organization()
    for (let index = 0; index < 195; index++) {
      const area = square(index)
      await addPlace(id, area + " ".repeat(128 * KIB - area.length))
    }
    return id
  })())

/** The attacks. Each entry prepares its data and returns the attack. */
const ATTACKS: Readonly<Record<string, () => Promise<() => Promise<ReadonlyMap<number, number>>>>> = {
  nothing: async () => async () => {
    await sleep(Number(seconds) * 1000)
    return new Map()
  },
  "32 callers read /metrics": reading(["/metrics"]),
  "32 callers read /docs and /openapi.json uncompressed": reading(["/docs", "/openapi.json"]),
  "32 callers redraw 60 saws of 1,000 points": async () => {
    const { west, south, east, north } = SAWS_GROUND
    const id = await organization({ trackingArea: rectangle(west, south, east, north) })
    const places: Array<number> = []
    for (let index = 0; index < 60; index++) places.push(await addPlace(id, saw(index)))
    return () =>
      flood(32, (nth) => {
        const index = nth % places.length
        const trackingArea = saw(index, nth % 2 === 0 ? 0.9 : 1)
        return { token: attacker, method: "PUT", path: "/place", json: { id: places[index], trackingArea } }
      })
  },
  "64 callers without rights send areas": async () => () =>
    flood(64, () => ({
      token: outsider,
      method: "POST",
      path: "/place",
      json: { organizationId: 9007199254740000, trackingArea: saw(0) }
    })),
  "8 callers read a list of 25 MB": async () => {
    const id = await longList()
    return () => flood(8, () => ({ token: user, method: "GET", path: `/place/organization/${id}` }))
  },
  "64 callers guess passwords": async () => () =>
    flood(64, (nth) => ({
      method: "POST",
      path: "/authentication/token",
      form: { grant_type: "password", username: `name-${nth}`, password: "not the password" }
    })),
  "64 callers present forged tokens": async () => () =>
    flood(64, (nth) => ({
      token: `${user.slice(0, -8)}${String(nth).padStart(8, "A")}`,
      method: "GET",
      path: "/organization"
    })),
  "64 callers enter as one user": async () => {
    const organizationId = await organization()
    return () =>
      flood(64, () => ({
        token: user,
        method: "POST",
        path: "/movement/track/organization",
        json: { organizationId, movementType: 1 }
      }))
  },
  "32 callers change an organization with ten webhooks": async () => {
    const id = await organization()
    const paths = Array.from({ length: 10 }, (_, nth) => `/${nth}`)
    for (const path of paths) {
      want(await fixtures.post(owning, `/webhook/organization/${id}`, { url: `${receiver.origin}${path}` }), 201)
    }
    return async () => {
      const json = (nth: number) => ({ id, description: `change ${nth}` })
      const statuses = await flood(32, (nth) => ({
        token: attacker,
        method: "PUT",
        path: "/organization",
        json: json(nth)
      }))
      console.log(`${paths.reduce((sum, path) => sum + receiver.received(path).length, 0)} deliveries`)
      return statuses
    }
  },
  [`240 callers link at ${HUNG} directories that hang`]: async () => {
    const organizations: Array<number> = []
    for (const { url } of hung) {
      organizations.push(await organization({ trackingMode: "authenticated", authenticationServerURL: url }))
    }
    const users = await Promise.all(Array.from({ length: 240 }, (_, i) => tokenOf(`user-${i}`)))
    return () =>
      flood(240, (nth) => ({
        token: users[nth % users.length]!,
        method: "POST",
        path: "/authenticationserver/link",
        json: { organizationId: organizations[nth % organizations.length], username: "ada", password: "word" }
      }))
  },
  ...writeAttacks({ attacker, organization, send, flood }),
  ...musterAttacks({ attacker, directory: crowded.url, user: tokenOf, organization, send, flood }),
  ...unreadAttacks({ baseUrl, seconds: Number(seconds), attacker, organization, send, flood, longList }),
  ...windowAttacks({
    baseUrl,
    seconds: Number(seconds),
    attacker,
    directory: crowded.url,
    viewer,
    postgres: storage === "memory" ? undefined : join(data, "postgres"),
    user: tokenOf,
    organization,
    send,
    flood
  }),
  ...personalDataAttacks({ operator, user: tokenOf, organization, send, flood }),
  ...streamAttacks({
    baseUrl,
    seconds: Number(seconds),
    organization: async (places) => {
      const organizationId = await organization()
      const adding = Array.from({ length: places }, (_, index) => index)
      const addNext = async () => {
        for (let index = adding.pop(); index !== undefined; index = adding.pop()) {
          await addPlace(organizationId, square(index))
        }
      }
      await Promise.all(Array.from({ length: 8 }, addNext))
      return organizationId
    },
    viewer,
    move: async (id, times) => {
      for (let moved = 0; moved < times; moved++) {
        await fixtures.put(owning, "/organization", { id, city: `city ${moved}` })
      }
    }
  })
}

const { id: counted } = await fixtures.organization()
const table: Array<Record<string, string | number>> = []
let isWell = true
for (const [name, prepare] of Object.entries(ATTACKS)) {
  if (!name.includes(wanted)) continue
  const attack = await prepare()
  const bystanders = startBystandersApart({ baseUrl, path: `/presence/organization/${counted}/counter`, token: owner })
  await sleep(500)
  const statuses = await attack()
  const { answers, refused, median, slowest } = await bystanders.stop()
  isWell &&= refused.size === 0 && answers > 0 && slowest <= LONGEST
  table.push({
    attack: name,
    "attacker's answers": [...statuses].map(([status, count]) => `${count} x ${status}`).join(", "),
    "counters read": answers,
    refused: [...refused].map(([status, count]) => `${count} x ${status}`).join(", ") || 0,
    "median ms": median.toFixed(1),
    "slowest ms": slowest.toFixed(0)
  })
  console.log(table.at(-1))
}
console.table(table)

agent.destroy()
for (const { hangUp } of hung) hangUp()
server.kill("SIGTERM")
await server.ended
await Promise.all([receiver, ...hung, crowded].map(({ stop }) => stop()))
rmSync(data, { recursive: true, force: true })
console.log(
  isWell ? "no bystander was refused or waited too long" : `a bystander was refused, or waited more than ${LONGEST} ms`
)
process.exitCode = isWell ? 0 : 1

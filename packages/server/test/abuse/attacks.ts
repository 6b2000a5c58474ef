/**
 * `npm run abuse -- [memory|embedded] [seconds] [words]`: runs several attacks on a real server, one after the other, and prints the
 * effect of each on other callers, who read a counter. Exit code 1: one of them was refused, or waited longer than
 * {@link LONGEST}.
 */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { issuerKey } from "@sojourn/server"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { rectangle } from "../../src/demo/areas.ts"
import { sojourn } from "../faults/SojournProcess.ts"
import { makeClient } from "../identity/Client.ts"
import { startHung } from "../identity/Hung.ts"
import { certificates, startReceiver } from "../webhooks/Receiver.ts"
import type { Flood, Sent } from "./attackTools.ts"
import { startBystandersApart } from "./bystanding.ts"
import { musterAttacks, startCrowdedDirectory } from "./musterAttacks.ts"
import { publicAttacks } from "./publicAttacks.ts"
import { DEMO_HOST, personalDataAttacks } from "./personalDataAttacks.ts"
import { saw, SAWS_GROUND } from "./saws.ts"
import { streamAttacks } from "./streamAttacks.ts"

/** The longest that a bystander may wait for a counter, in milliseconds. */
const LONGEST = 300

const [storage = "memory", seconds = "10", wanted = "", ...rest] = process.argv.slice(2)
if (rest.length > 0 || !/^(memory|embedded)$/.test(storage) || !/^[1-9]\d{0,2}$/.test(seconds)) {
  console.error("usage: npm run abuse -- [memory|embedded] [seconds of each attack] [words of the attacks' names]")
  process.exit(2)
}

const HUNG = 32
const KIB = 1024

const GROUND = rectangle(11, 45, 12, 46)
const square = (index: number) => {
  const [west, south] = [11.01 + 0.02 * (index % 40), 45.01 + 0.02 * Math.floor(index / 40)]
  return rectangle(west, south, west + 0.01, south + 0.01)
}

const data = mkdtempSync(join(tmpdir(), "sojourn-abuse-"))
const key = await Effect.runPromise(issuerKey(data))
const bearer = (caller: Caller) =>
  Effect.runPromise(Effect.map(OwnIssuer.mint(key, caller, { expiresIn: 7200 }), Redacted.value))
const administrator = (id: string) => bearer(Administrator(AdministratorId.make(id), Mail.make(`${id}@example.test`)))
const [operator, owner, attacker, outsider, user] = await Promise.all([
  bearer(Operator(OperatorId.make("operator"))),
  administrator("owner"),
  administrator("attacker"),
  administrator("outsider"),
  bearer(User(UserId.make("user")))
])

const hung = await Promise.all(Array.from({ length: HUNG }, startHung))
const crowded = await startCrowdedDirectory()
const allowed = [...hung, crowded].flatMap(({ server }) => ["--directory-allow", server])
const receiver = await startReceiver()
const authority = join(data, "receivers.pem")
writeFileSync(authority, certificates.authority.pem)
const receivers = ["--webhook-allow", receiver.origin, "--webhook-ca", authority]
const server = sojourn(
  "serve",
  "--port",
  "0",
  "--storage",
  storage,
  "--data",
  data,
  "--demo-directory",
  "--directory-allow",
  DEMO_HOST,
  ...allowed,
  ...receivers
)
const baseUrl = await server.listening
const clients = Array.from({ length: 4 }, () => makeClient(baseUrl))
let turn = 0

const send = ({ token, method, path, json, form, headers: more }: Sent) => {
  const body = form === undefined ? JSON.stringify(json) : new URLSearchParams(form).toString()
  const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded"
  const sized = body === undefined ? {} : { "content-type": type, "content-length": String(Buffer.byteLength(body)) }
  const headers = { ...sized, ...more }
  return clients[turn++ % clients.length]!.send(token, method, path, { headers, body: body })
}

const make = async (sent: Omit<Sent, "method">): Promise<number> => {
  const { status, json, text } = await send({ method: "POST", ...sent })
  if (status !== 201) throw new Error(`${sent.path} answered ${status} ${text}`)
  return json.id
}

let names = 0
const organization = (administratorId: string, more: object = {}) =>
  make({
    token: operator,
    path: "/operator/organization",
    json: {
      name: `organization ${++names}`,
      trackingArea: GROUND,
      trackingMode: "anonymous",
      owner: { administratorId, mail: `${administratorId}@example.test` },
      ...more
    }
  })

/** After a refusal by overload or rate limit the client waits. */
const flood: Flood = async (callers, next) => {
  const statuses = new Map<number, number>()
  const until = performance.now() + Number(seconds) * 1000
  let count = 0
  const call = async () => {
    while (performance.now() < until) {
      const { status } = await send(next(count++)).catch(() => ({ status: 0 }))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 429 || status === 503) await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return statuses
}

/** The attacks. Each entry prepares its data and returns the attack. */
const ATTACKS: Readonly<Record<string, () => Promise<() => Promise<ReadonlyMap<number, number>>>>> = {
  nothing: async () => async () => {
    await sleep(Number(seconds) * 1000)
    return new Map()
  },
  ...publicAttacks(flood),
  "32 callers redraw 60 saws of 1,000 points": async () => {
    const { west, south, east, north } = SAWS_GROUND
    const id = await organization("attacker", { trackingArea: rectangle(west, south, east, north) })
    const places: Array<number> = []
    for (let index = 0; index < 60; index++) {
      places.push(
        await make({ token: attacker, path: "/place", json: { organizationId: id, trackingArea: saw(index) } })
      )
    }
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
    const id = await organization("attacker")
    for (let index = 0; index < 195; index++) {
      const area = square(index)
      const trackingArea = area + " ".repeat(128 * KIB - area.length)
      await make({ token: attacker, path: "/place", json: { organizationId: id, trackingArea } })
    }
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
    const organizationId = await organization("attacker")
    return () =>
      flood(64, () => ({
        token: user,
        method: "POST",
        path: "/movement/track/organization",
        json: { organizationId, movementType: 1 }
      }))
  },
  "32 callers change an organization with ten webhooks": async () => {
    const id = await organization("attacker")
    const paths = Array.from({ length: 10 }, (_, nth) => `/${nth}`)
    for (const path of paths) {
      const json = { url: `${receiver.origin}${path}` }
      const { status } = await send({ token: attacker, method: "POST", path: `/webhook/organization/${id}`, json })
      if (status !== 201) throw new Error(`a webhook was answered with ${status}`)
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
      organizations.push(
        await organization("attacker", { trackingMode: "authenticated", authenticationServerURL: url })
      )
    }
    const users = await Promise.all(Array.from({ length: 240 }, (_, i) => bearer(User(UserId.make(`user-${i}`)))))
    return () =>
      flood(240, (nth) => ({
        token: users[nth % users.length]!,
        method: "POST",
        path: "/authenticationserver/link",
        json: { organizationId: organizations[nth % organizations.length], username: "ada", password: "word" }
      }))
  },
  ...musterAttacks({
    attacker,
    directory: crowded.url,
    user: (id) => bearer(User(UserId.make(id))),
    organization,
    send,
    flood
  }),
  ...personalDataAttacks({
    operator,
    user: (id) => bearer(User(UserId.make(id))),
    organization,
    send,
    flood
  }),
  ...streamAttacks({
    baseUrl,
    seconds: Number(seconds),
    organization: async (places) => {
      const organizationId = await organization("attacker")
      const adding = Array.from({ length: places }, (_, index) => index)
      const addNext = async () => {
        for (let index = adding.pop(); index !== undefined; index = adding.pop()) {
          await make({ token: attacker, path: "/place", json: { organizationId, trackingArea: square(index) } })
        }
      }
      await Promise.all(Array.from({ length: 8 }, addNext))
      return organizationId
    },
    viewer: async (organizationIds) => {
      const administratorId = `viewer-${++names}`
      const token = await administrator(administratorId)
      await send({ token, method: "GET", path: `/administrator/permission/${administratorId}` })
      for (const organizationId of organizationIds) {
        const json = { organizationId, administratorId, permission: "viewer" }
        await make({ token: attacker, path: "/administrator/bindadministrator", json })
      }
      return token
    },
    move: async (organizationId, times) => {
      for (let moved = 0; moved < times; moved++) {
        const json = { id: organizationId, city: `city ${moved}` }
        await send({ token: attacker, method: "PUT", path: "/organization", json })
      }
    }
  })
}

const counted = await organization("owner")
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

for (const { close } of clients) close()
for (const { hangUp } of hung) hangUp()
server.kill("SIGTERM")
await server.ended
await Promise.all([receiver, ...hung, crowded].map(({ stop }) => stop()))
rmSync(data, { recursive: true, force: true })
console.log(
  isWell ? "no bystander was refused or waited too long" : `a bystander was refused, or waited more than ${LONGEST} ms`
)
process.exitCode = isWell ? 0 : 1

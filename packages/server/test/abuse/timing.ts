/**
 * `npm run timing -- [storage] [pairs] [sign-ins]`: sends a real server pairs of requests with the same answer, and prints
 * whether the response time distinguishes them. The order within each pair is random. The first pair is one request twice:
 * its result is the noise.
 */
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { issuerKey } from "@sojourn/server"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Bearer, makeCallers } from "../callers.ts"
import { sojourn } from "../faults/SojournProcess.ts"
import { makeFixtures, square } from "../fixtures.ts"
import { makeAgent, send } from "../httpClient.ts"
import { compare } from "./statistics.ts"

const [storage = "memory", pairs = "3000", signIns = "300", ...rest] = process.argv.slice(2)
if (
  rest.length > 0 ||
  !/^(memory|embedded)$/.test(storage) ||
  ![pairs, signIns].every((n) => /^[1-9]\d{0,5}$/.test(n))
) {
  console.error("usage: npm run timing -- [memory|embedded] [pairs] [pairs of sign-ins]")
  process.exit(2)
}

interface Question {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
}

const agent = makeAgent(1)
let sent = 0

/** Sends one request and measures it. Each comes from its own network, so that no rate limit per network delays it. */
const ask = async (baseUrl: string, question: Question) => {
  const number = sent++
  const headers = { "x-forwarded-for": `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
  const began = performance.now()
  const answer = await send(baseUrl, { agent, headers, ...question })
  return { ...answer, milliseconds: performance.now() - began }
}

/** Two requests with the same answer, and the fact that their response times could reveal. */
interface Case {
  readonly name: string
  readonly status: number
  readonly one: Question
  readonly other: Question
  readonly pairs?: number
}

const UNKNOWN = 9007199254740000

/** Creates the organizations and accounts, and the pairs of requests. */
const found = async (baseUrl: string, key: OwnIssuer.SigningKey): Promise<ReadonlyArray<Case>> => {
  const fixtures = makeFixtures({
    ...makeCallers(key, { expiresIn: 7200 }),
    call: async (who, method, path, { json } = {}) => {
      const token = typeof who === "string" ? who : await who?.token
      return ask(baseUrl, { method, path, json, ...(token !== undefined && { token }) })
    }
  })
  const { authenticated, organization, sojourn } = fixtures
  const [annBearer, bobBearer] = [sojourn.administrator("ann"), sojourn.administrator("bob")]
  const [ann, bob, user, visitor] = (await Promise.all(
    [annBearer, bobBearer, sojourn.user("user"), sojourn.user("visitor")].map(({ token }) => token)
  )) as [string, string, string, string]
  const ownedBy = ({ id, mail }: Bearer) => ({ owner: { administratorId: id, mail } })
  const made = async (question: Question) => {
    const { status, json } = await ask(baseUrl, question)
    if (status !== 201 && status !== 202) throw new Error(`${question.path} answered ${status}`)
    return json
  }
  const post = (path: string, token: string, json: unknown): Question => ({ method: "POST", path, token, json })
  const get = (path: string, token: string): Question => ({ method: "GET", path, token })
  const [{ id: anns }, { id: bobs }] = [await organization(ownedBy(annBearer)), await organization(ownedBy(bobBearer))]
  const { id: known } = await authenticated(ownedBy(bobBearer))
  const { id: bobsPlace } = await made(post("/place", bob, { organizationId: bobs, trackingArea: square(0) }))
  const track = (organizationId: number, more: object) =>
    post("/movement/track/organization", visitor, { organizationId, ...more })
  const enter = async (organizationId: number) =>
    (await made(track(organizationId, { movementType: 1, timestamp: "2026-03-01T08:00:00Z" }))).exitToken as string
  const [open, closed, elsewhere] = [await enter(anns), await enter(anns), await enter(bobs)]
  await made(track(anns, { movementType: -1, exitToken: closed, timestamp: "2026-03-01T09:00:00Z" }))
  /** A forged token of the same length. */
  const forgedFrom = (token: string) =>
    `${token.slice(0, -8)}${token.slice(-8) === "AAAAAAAA" ? "BBBBBBBB" : "AAAAAAAA"}`
  const forged = forgedFrom(open)
  const exit = (organizationId: number, exitToken: string, timestamp: string): Question => ({
    ...track(organizationId, { movementType: -1, exitToken, timestamp }),
    token: user
  })

  const password = "correct horse battery staple"
  const created = await made(
    post("/administrator/createadministrator", bob, {
      organizationId: bobs,
      permission: 1,
      mail: "known@example.test",
      password
    })
  )
  const signIn = (username: string): Question => ({
    method: "POST",
    path: "/authentication/token",
    form: { grant_type: "password", username, password: "another one" }
  })
  const bind = (token: string, organizationId: number, named: object) =>
    post("/administrator/bindadministrator", token, { organizationId, permission: 1, ...named })
  const create = (mail: string) =>
    post("/administrator/createadministrator", ann, { organizationId: bobs, permission: 1, mail, password })
  const place = (organizationId: number) =>
    post("/place", ann, { organizationId, name: "A place", trackingArea: square(1) })
  const list = (kind: string, id: number, what: string, token = user) => get(`/access/${kind}/${id}/${what}`, token)
  const unknownId = "00000000-0000-4000-8000-000000000000"
  const many = Number(signIns)
  return [
    {
      name: "the same request twice",
      status: 403,
      one: get(`/place/organization/${bobs}`, ann),
      other: get(`/place/organization/${bobs}`, ann)
    },
    {
      name: "sign-in: mail address unknown, known",
      status: 400,
      one: signIn("nobody@example.test"),
      other: signIn("known@example.test"),
      pairs: many
    },
    {
      name: "sign-in: id unknown, known",
      status: 400,
      one: signIn(unknownId),
      other: signIn(created.administratorId),
      pairs: many
    },
    {
      name: "bearer token forged: unknown, derived from one in use",
      status: 401,
      one: get("/organization", forgedFrom(await sojourn.user("nobody").token)),
      other: get("/organization", forgedFrom(user))
    },
    {
      name: "exit: forged token, of another organization",
      status: 400,
      one: exit(anns, forged, "2026-03-01T10:00:00Z"),
      other: exit(anns, elsewhere, "2026-03-01T10:00:00Z")
    },
    {
      name: "exit: forged token, of a stay that ended",
      status: 400,
      one: exit(anns, forged, "2026-03-01T10:00:00Z"),
      other: exit(anns, closed, "2026-03-01T10:00:00Z")
    },
    {
      name: "exit: forged token, of an open stay before its entrance",
      status: 400,
      one: exit(anns, forged, "2026-03-01T07:00:00Z"),
      other: exit(anns, open, "2026-03-01T07:00:00Z")
    },
    {
      name: "exit: forged token, unknown and known organization",
      status: 400,
      one: exit(UNKNOWN, forged, "2026-03-01T10:00:00Z"),
      other: exit(anns, forged, "2026-03-01T10:00:00Z")
    },
    {
      name: "anonymous list: forged token, of another organization",
      status: 204,
      one: list("organization", anns, `anonymous/${forged}`),
      other: list("organization", anns, `anonymous/${elsewhere}`)
    },
    {
      name: "anonymous list: forged token, of an open stay",
      status: 204,
      one: list("organization", anns, `anonymous/${forged}`),
      other: list("organization", anns, `anonymous/${open}`)
    },
    {
      name: "anonymous list: unknown and known organization",
      status: 204,
      one: list("organization", UNKNOWN, `anonymous/${forged}`),
      other: list("organization", anns, `anonymous/${forged}`)
    },
    {
      name: "list of a person, user: unknown and known organization",
      status: 403,
      one: list("organization", UNKNOWN, "authenticated/ada"),
      other: list("organization", known, "authenticated/ada")
    },
    {
      name: "list of a person, administrator: unknown and known organization",
      status: 403,
      one: list("organization", UNKNOWN, "authenticated/ada", ann),
      other: list("organization", known, "authenticated/ada", ann)
    },
    {
      name: "list of a person, administrator: unknown and known place",
      status: 403,
      one: list("place", UNKNOWN, "authenticated/ada", ann),
      other: list("place", bobsPlace, "authenticated/ada", ann)
    },
    {
      name: "places, administrator: unknown and known organization",
      status: 403,
      one: get(`/place/organization/${UNKNOWN}`, ann),
      other: get(`/place/organization/${bobs}`, ann)
    },
    { name: "POST /place: unknown and known organization", status: 403, one: place(UNKNOWN), other: place(bobs) },
    {
      name: "permissions of another: unknown, known administrator",
      status: 403,
      one: get(`/administrator/permission/${unknownId}`, ann),
      other: get("/administrator/permission/bob", ann)
    },
    {
      name: "bind, owner: mail address unknown, of an account known by its id alone",
      status: 404,
      one: bind(ann, anns, { mail: "nobody@example.test" }),
      other: bind(ann, anns, { mail: "known@example.test" })
    },
    {
      name: "bind, no owner: mail address unknown, known",
      status: 403,
      one: bind(ann, bobs, { mail: "nobody@example.test" }),
      other: bind(ann, bobs, { mail: "bob@example.test" })
    },
    {
      name: "create, no owner: mail address unknown, known",
      status: 403,
      one: create("nobody@example.test"),
      other: create("bob@example.test")
    }
  ]
}

const measure = async (baseUrl: string, { name, status, one, other, pairs: most }: Case) => {
  const times: [Array<number>, Array<number>] = [[], []]
  const count = Math.min(most ?? Infinity, Number(pairs))
  const warm = most === undefined ? Math.min(200, count) : 2
  for (let pair = -warm; pair < count; pair++) {
    const order = Math.random() < 0.5 ? [0, 1] : [1, 0]
    for (const which of order) {
      const answer = await ask(baseUrl, which === 0 ? one : other)
      if (answer.status !== status)
        throw new Error(`${name}: ${answer.status} for the ${which === 0 ? "first" : "second"}`)
      if (pair >= 0) times[which as 0 | 1].push(answer.milliseconds)
    }
  }
  const { difference, p, auc } = compare(...times)
  const middle = times[0].toSorted((a, b) => a - b)[count >> 1]!
  const figures = [
    count,
    (middle * 1000).toFixed(0),
    (difference * 1000).toFixed(1),
    p.toExponential(1),
    auc.toFixed(3)
  ]
  console.log(`| ${name} | ${status} | ${figures.join(" | ")} |`)
}

const data = mkdtempSync(join(tmpdir(), "sojourn-timing-"))
const server = sojourn("serve", "--port", "0", "--data", data, "--storage", storage, "--trusted-proxies", "1")
try {
  const baseUrl = await server.listening
  const cases = await found(baseUrl, await Effect.runPromise(issuerKey(data)))
  console.log(`storage ${storage}; the second less the first, in microseconds\n`)
  console.log("| first, second | status | pairs | median (us) | difference (us) | p | AUC |")
  console.log("|---|---|---|---|---|---|---|")
  for (const one of cases) await measure(baseUrl, one)
} finally {
  agent.destroy()
  server.kill("SIGTERM")
  await server.ended
  rmSync(data, { recursive: true, force: true })
}

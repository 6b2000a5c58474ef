/** Two servers on one database with the same keys act as one service. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeEventStreams } from "../eventStream.ts"
import { want } from "../fixtures.ts"
import { type ClientRequest, bodyOf, type Client, makeClient } from "./client.ts"
import { query } from "./audit.database.ts"
import { makeLedger } from "./Ledger.ts"
import { exitOf, movementOf, nextKey, tracking } from "./movements.ts"
import { type ServerGroup, serverGroup } from "./ServerGroup.ts"
import type { SojournProcess } from "./SojournProcess.ts"
import { fixturesOn, type Premises, type Town } from "./town.ts"

const ROUNDS = 20

let group: ServerGroup
let servers: readonly [SojournProcess, SojournProcess]
let baseUrls: readonly [string, string]
let client: Client
let town: Town

beforeAll(async () => {
  group = await serverGroup()
  // Both start concurrently: one creates the keys and the schema, and the other uses them.
  servers = [group.start(), group.start()]
  baseUrls = await Promise.all([servers[0].listening, servers[1].listening])
  client = makeClient()
  town = await group.foundTown(client, baseUrls[0], { crowd: 1, companies: 1 })
})

afterAll(async () => {
  client?.close()
  await group?.close()
})

const onOne = (request: ClientRequest) => client.ask(baseUrls[0], request)
const onOther = (request: ClientRequest) => client.ask(baseUrls[1], request)
/** Sends requests to both servers concurrently. */
const onBoth = (one: ClientRequest, other = one) => Promise.all([onOne(one), onOther(other)])

const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status).sort()

/** Expects this counter on both servers. */
const expectInside = async ({ kind, id }: Premises, inside: number) => {
  const path = `/presence/${kind}/${id}/counter`
  for (const answer of await onBoth({ method: "GET", path, token: town.owner })) {
    expect(bodyOf<{ readonly counter: number }>(answer).counter).toBe(inside)
  }
}

/** A stay as its client knows it. */
const stayOf = async (request: ClientRequest, premises: Premises) => {
  const answer = await onOne(request)
  expect(answer.status).toBe(201)
  const { exitToken, timestamp } = movementOf(answer)
  return { id: 0n, premises, person: undefined, exitToken, entrance: timestamp }
}

it("a stay that is opened on one server is closed on the other, and counters and lists agree", async () => {
  const { token } = town.residents[0]!
  for (const where of town.anonymous) {
    const stay = await stayOf(tracking(token, where, { movementType: 1 }), where)
    await expectInside(where, 1)
    const exit = await onOther(exitOf(token, stay))
    expect(exit.status).toBe(202)
    await expectInside(where, 0)
    const path = `/access/${where.kind}/${where.id}/anonymous/${stay.exitToken}`
    const [one, other] = await onBoth({ method: "GET", path, token })
    expect(bodyOf(one)).toEqual(bodyOf(other))
    expect(bodyOf(one)).toMatchObject([
      { entranceTimestamp: stay.entrance, exitTimestamp: movementOf(exit).timestamp, exitToken: stay.exitToken }
    ])
  }
})

it("of concurrent exits with different times on both servers one is 202 and the other 400", async () => {
  const { token } = town.residents[0]!
  const where = town.anonymous[0]!
  for (let i = 0; i < ROUNDS; i++) {
    const stay = await stayOf(tracking(token, where, { movementType: 1 }), where)
    const later = (seconds: number) => new Date(Date.parse(stay.entrance) + seconds * 1000).toISOString()
    const answers = await onBoth(exitOf(token, stay, later(1)), exitOf(token, stay, later(2)))
    expect(statuses(answers)).toEqual([202, 400])
  }
  await expectInside(where, 0)
})

it("concurrent entrances of one person on both servers open one stay", async () => {
  const { token, premises } = town.residents.find(({ person }) => person === "ada")!
  const where = premises[0]!
  for (let i = 0; i < ROUNDS; i++) {
    const [one, other] = await onBoth(tracking(token, where, { movementType: 1 }))
    expect(statuses([one, other])).toEqual([201, 201])
    expect(movementOf(one)).toEqual(movementOf(other))
    await expectInside(where, 1)
    const { exitToken, timestamp } = movementOf(one)
    await onOther(exitOf(token, { id: 0n, premises: where, person: "ada", exitToken, entrance: timestamp }))
  }
  await expectInside(where, 0)
})

it("concurrent entrances with one Idempotency-Key on both servers open one stay", async () => {
  const { token } = town.residents[0]!
  const where = town.anonymous[1]!
  const ledger = makeLedger((await group.keys()).tokens)
  for (let i = 0; i < ROUNDS; i++) {
    const [one, other] = await onBoth(tracking(token, where, { movementType: 1 }, nextKey()))
    expect(statuses([one, other])).toEqual([201, 201])
    expect(movementOf(one)).toEqual(movementOf(other))
    ledger.entered(where, movementOf(one))
  }
  expect(ledger.open.size).toBe(ROUNDS)
  await expectInside(where, ROUNDS)
})

it.skipIf(process.platform === "win32")(
  "changes that a killed server recorded and did not publish are published by the other one",
  async () => {
    const where = town.anonymous[2]!
    const enter = async () =>
      expect((await onOne(tracking(town.residents[0]!.token, where, { movementType: 1 }))).status).toBe(201)
    const open = makeEventStreams(Number(new URL(baseUrls[1]).port))
    const stream = await open(`Bearer ${town.owner}`, `?organizations=${where.organizationId}`)
    await stream.want("snapshot")
    const { operator, put } = fixturesOn(client, () => baseUrls[0], (await group.keys()).key)
    want(await put(operator, `/operator/organization/${where.organizationId}/policy`, { eventGrain: 5 }), 200)
    await enter()
    const isOfPlace = ({ data }: { readonly data: { readonly placeId?: number } }) => data.placeId === where.id
    await stream.until(isOfPlace)
    // These wait for the event interval, and no server publishes them meanwhile.
    servers[1].kill("SIGSTOP")
    await Promise.all([enter(), enter()])
    servers[0].kill("SIGKILL")
    await servers[0].ended
    const [pending] = await query<{ readonly entered: bigint }>(
      group.database(),
      `select sum(entered)::bigint as entered from pending_change where place_id = ${where.id}`
    )
    servers[1].kill("SIGCONT")
    expect(pending!.entered).toBe(2n)
    const published = (await stream.until(isOfPlace)).at(-1)!
    expect(published.data).toMatchObject({ entered: 2, left: 0, inside: 3 })
  }
)

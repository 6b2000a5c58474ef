/** Two servers on one database with the same keys act as one service. */
import { expect, it } from "vitest"
import { makeEventStreams } from "../eventStream.ts"
import { want } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { makeClient } from "./client.ts"
import { query } from "./audit.database.ts"
import { nextKey } from "./movements.ts"
import { serverGroup } from "./ServerGroup.ts"
import { fixturesOn, type Premises } from "./town.ts"

const ROUNDS = 10

const group = forThisFile(await serverGroup())
// Both start concurrently: one creates the keys and the schema, and the other uses them.
const servers = [group.start(), group.start()] as const
const baseUrls = await Promise.all([servers[0].listening, servers[1].listening])
const client = forThisFile(makeClient())
const town = await group.foundTown(client, baseUrls[0], { crowd: 0, companies: 1 })
const key = await group.key()
/** Requests to each of the servers. */
const [one, other] = [fixturesOn(client, () => baseUrls[0], key), fixturesOn(client, () => baseUrls[1], key)]
const phone = one.sojourn.user("phone")

const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status).sort()

/** Expects this counter on both servers. */
const expectInside = async (where: Premises, inside: number) =>
  expect(await Promise.all([one.inside(where), other.inside(where)])).toEqual([inside, inside])

it("a stay that is opened on one server is closed on the other, and counters and lists agree", async () => {
  for (const where of town.anonymous) {
    const { exitToken, timestamp } = want(await one.enter(phone, where), 201).json
    await expectInside(where, 1)
    const exit = want(await other.leave(phone, where, exitToken), 202).json
    await expectInside(where, 0)
    const lists = await Promise.all([one, other].map(({ anonymous }) => anonymous(phone, where, exitToken)))
    for (const { json } of lists) {
      expect(json).toMatchObject([{ entranceTimestamp: timestamp, exitTimestamp: exit.timestamp, exitToken }])
    }
    expect(lists[0]!.json).toEqual(lists[1]!.json)
  }
})

it("of concurrent exits with different times on both servers one is 202 and the other 400", async () => {
  const where = town.anonymous[0]!
  for (let i = 0; i < ROUNDS; i++) {
    const { exitToken, timestamp: entrance } = want(await one.enter(phone, where), 201).json
    const later = (seconds: number) => ({ timestamp: new Date(Date.parse(entrance) + seconds * 1000).toISOString() })
    const answers = await Promise.all([
      one.leave(phone, where, exitToken, later(1)),
      other.leave(phone, where, exitToken, later(2))
    ])
    expect(statuses(answers)).toEqual([202, 400])
  }
  await expectInside(where, 0)
})

it("concurrent entrances of one person on both servers open one stay", async () => {
  const where = town.authenticated[0]!
  const ada = one.sojourn.user("ada-0")
  for (let i = 0; i < ROUNDS; i++) {
    const answers = await Promise.all([one.enter(ada, where), other.enter(ada, where)])
    expect(statuses(answers)).toEqual([201, 201])
    expect(answers[0].json).toEqual(answers[1].json)
    await expectInside(where, 1)
    want(await other.leave(ada, where, answers[0].json.exitToken), 202)
  }
  await expectInside(where, 0)
})

it("concurrent entrances with one Idempotency-Key on both servers open one stay", async () => {
  const where = town.anonymous[1]!
  const stays = new Set<string>()
  for (let i = 0; i < ROUNDS; i++) {
    const keyed = { headers: { "idempotency-key": nextKey() } }
    const answers = await Promise.all([one.enter(phone, where, {}, keyed), other.enter(phone, where, {}, keyed)])
    expect(statuses(answers)).toEqual([201, 201])
    expect(answers[0].json).toEqual(answers[1].json)
    stays.add(answers[0].json.exitToken)
  }
  expect(stays.size).toBe(ROUNDS)
  await expectInside(where, ROUNDS)
})

it.skipIf(process.platform === "win32")(
  "changes that a killed server recorded and did not publish are published by the other one",
  async () => {
    const where = town.anonymous[2]!
    const enter = async () => want(await one.enter(phone, where), 201)
    const open = makeEventStreams(Number(new URL(baseUrls[1]).port))
    const stream = await open(`Bearer ${town.owner}`, `?organizations=${where.organizationId}`)
    await stream.want("snapshot")
    want(await one.put(one.operator, `/operator/organization/${where.organizationId}/policy`, { eventGrain: 5 }), 200)
    await enter()
    // What the tests before did there may be published as late as this: nobody is inside after it.
    const isOfPlace = ({ data }: { readonly data: { readonly placeId?: number; readonly inside?: number } }) =>
      data.placeId === where.id && data.inside !== 0
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

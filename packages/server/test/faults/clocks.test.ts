/** The clock of one of two servers jumps, ahead and back, and what it was wrong about leaves nothing behind. */
import { describe, expect, it } from "vitest"
import { makeCallers } from "../callers.ts"
import { type EventStream, makeEventStreams, type Message } from "../eventStream.ts"
import { flagsFor, startReceiver, verified } from "../webhooks/Receiver.ts"
import { unique, want, whole } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { makeClient } from "./client.ts"
import { query } from "./audit.database.ts"
import { eventually } from "./eventually.ts"
import { serverGroup } from "./ServerGroup.ts"
import { fixturesOn, ownerToken } from "./town.ts"

type Fixtures = ReturnType<typeof fixturesOn>

const HOUR = 3_600_000
const DAY = 24 * HOUR

const receiver = forThisFile(await startReceiver())
const group = forThisFile(await serverGroup())
const flags = flagsFor(receiver, group.data)
let right = group.start(...flags)
let rightUrl = await right.listening
const wrong = group.startWithClock(...flags)
const wrongUrl = await wrong.server.listening
const client = forThisFile(makeClient())
const key = await group.key()
/** Requests to each of the servers. */
const onRight = fixturesOn(client, () => rightUrl, key)
const onWrong = fixturesOn(client, () => wrongUrl, key)
const where = whole((await onRight.organization()).id)
// Valid for both clocks, whatever they say.
const callers = makeCallers(key, { expiresIn: (7 * DAY) / 1000, now: Date.now() - 2 * DAY })
const [owner, user] = [callers.administrator("the-owner"), callers.user("phone")]
let stream: EventStream
let version: number
let inside: number

/** Follows the organization at the server whose clock is right. */
const follow = async () => {
  const open = makeEventStreams(Number(new URL(rightUrl).port))
  stream = await open(owner, `?organizations=${where.id}`)
  const [snapshot] = (await stream.want("snapshot")).data.organizations
  version = snapshot.version
  inside = snapshot.inside
}

/** The next events of presence: versions follow each other, and `inside` is the sum. */
const published = async (entered: number, left: number): Promise<Message> => {
  const sum = { entered: 0, left: 0 }
  let last: Message
  do {
    last = await stream.want("presence.changed")
    sum.entered += last.data.entered
    sum.left += last.data.left
    inside += last.data.entered - last.data.left
    expect(last.data).toMatchObject({ version: ++version, inside })
  } while (sum.entered < entered || sum.left < left)
  expect(sum).toEqual({ entered, left })
  return last
}

/** Enters at one server and leaves at another one; both are published. */
const visit = async (from: Fixtures, to: Fixtures) => {
  const { exitToken } = want(await from.enter(user, where), 201).json
  want(await to.leave(user, where, exitToken), 202)
  return await published(1, 1)
}

const rename = async ({ put }: Fixtures) =>
  want(await put(owner, "/organization", { id: where.id, city: unique("city") }), 200)

describe.each([
  ["an hour ahead", HOUR],
  ["a day behind", -DAY]
])("a clock that is %s for a while", (_, by) => {
  it("loses, repeats and delays no event; later events have the correct time, also in the history", async () => {
    await follow()
    await visit(onWrong, onRight)
    await wrong.setWrong(by)
    for (const [from, to] of [
      [onWrong, onRight],
      [onRight, onWrong],
      [onWrong, onWrong]
    ] as const) {
      await visit(from, to)
    }
    // A muster is held by both clocks.
    const { musterId } = want(
      await onWrong.post(owner, `/muster/organization/${where.id}`, { kind: "drill" }),
      201
    ).json
    want(await onRight.post(owner, `/muster/${musterId}/safe`, { count: 1 }), 200)
    want(await onRight.post(owner, `/muster/${musterId}/end`, undefined), 200)
    for (const state of ["started", "updated", "ended"]) {
      expect((await stream.want("muster.changed")).data).toMatchObject({ version: ++version, state })
    }
    await wrong.setWrong(0)
    want(await onWrong.get(owner, `/muster/${musterId}`), 200)
    const before = Date.now()
    for (const [from, to] of [
      [onWrong, onRight],
      [onRight, onWrong]
    ] as const) {
      const { data } = await visit(from, to)
      expect(Math.abs(Date.parse(data.at) - before)).toBeLessThan(HOUR / 2)
    }
    const range = `from=${new Date(before - 3 * HOUR).toISOString()}&to=${new Date(before + 3 * DAY).toISOString()}`
    for (const { get } of [onRight, onWrong]) {
      const rows = want(await get(owner, `/presence/organization/${where.id}/history?step=hour&${range}`), 200).json
      expect(Date.parse(rows.at(-1)!.from)).toBeLessThanOrEqual(Date.now())
      expect(rows.at(-1)!.entered).toBeGreaterThanOrEqual(2)
    }
  })
})

it("streams end with their tokens by the clock of their server, and resume when it is correct again", async () => {
  await follow()
  const open = makeEventStreams(Number(new URL(wrongUrl).port))
  const short = `Bearer ${await ownerToken(key)}`
  const mine = await open(short, `?organizations=${where.id}`)
  await mine.want("snapshot")
  await wrong.setWrong(DAY)
  expect((await mine.want("end")).data).toEqual({ reason: "expired" })
  expect((await open(short, `?organizations=${where.id}`)).status).toBe(401)
  await wrong.setWrong(0)
  const resumed = await open(short, `?organizations=${where.id}`, { "last-event-id": mine.lastId() })
  expect(resumed.status).toBe(200)
  await visit(onRight, onWrong)
  expect((await resumed.until(({ data }) => data.version === version)).at(-1)!.data.inside).toBe(inside)
})

it("webhooks of a server killed with its clock a day ahead are delivered by the other server, also those that failed", async () => {
  const database = group.database()
  const holders = () =>
    query<{ readonly holder: string }>(database, "select distinct holder from webhook where holder is not null")
  // The server that is wrong holds the webhooks, as the other one is gone for a while.
  right.kill("SIGKILL")
  await right.ended
  await wrong.setWrong(DAY)
  receiver.answer("/fails", (response) => response.writeHead(500).end())
  const created: Array<{ readonly secret: string }> = []
  for (const path of ["/takes", "/fails"]) {
    const webhook = { url: `${receiver.origin}${path}` }
    created.push(want(await onWrong.post(owner, `/webhook/organization/${where.id}`, webhook), 201).json)
  }
  await eventually("both are leased", async () => (await holders()).length === 1)
  await rename(onWrong)
  await eventually("one is delivered, the other one failed", () =>
    ["/takes", "/fails"].every((path) => receiver.received(path).length > 0)
  )
  const state = async () =>
    (await query<{ readonly state: string }>(database, "select state from webhook order by id")).map(
      ({ state }) => state
    )
  await eventually("the failure is recorded", async () => (await state())[1] === "failing")
  wrong.server.kill("SIGKILL")
  await wrong.server.ended
  receiver.answer("/fails", (response) => response.writeHead(204).end())
  right = group.start(...flags)
  rightUrl = await right.listening
  await rename(onRight)
  await eventually("both are delivered", () =>
    ["/takes", "/fails"].every((path) => new Set(receiver.received(path).map(({ text }) => text)).size === 2)
  )
  for (const [n, path] of ["/takes", "/fails"].entries()) {
    const received = receiver.received(path)
    const versions = received.map(({ json }) => json.data.version)
    // By the clock that is wrong they are signed a day ahead, which a receiver may refuse.
    verified(created[n]!.secret, received.at(-1)!)
    expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  }
})

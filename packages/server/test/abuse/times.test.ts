/**
 * Attacks on the times of anonymous people: a viewer polls every answer with the number of people inside, to learn when single people came and
 * left, and how long they stayed.
 */
import { describe, expect, it } from "vitest"
import { makeEventStreams } from "../eventStream.ts"
import { DEMO_SERVER } from "../../src/demo/people.ts"
import { at, makeFixtures, unique, want } from "../fixtures.ts"
import { type Bearer, sojournForThisFile } from "../harness.ts"

const sojourn = await sojournForThisFile()
const {
  bind,
  enter,
  get,
  leave,
  operator,
  organization,
  owner,
  place,
  post,
  put,
  sojourn: server
} = makeFixtures(sojourn)
const open = makeEventStreams(sojourn.port)

const someone = () => server.user(unique("visitor"))

/** The publishing interval of the first attack, in seconds. */
const INTERVAL = 2

/** How many come, two at a time, and the pause between two pairs in milliseconds: several are in each interval. */
const COMING = 8
const PAUSE = 700

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const policyOf = (id: number) => `/operator/organization/${id}/policy`

/** The rows of the day and its neighbours. */
const range = (step: string, seconds: number) =>
  new URLSearchParams({ step, from: at(-seconds), to: at(seconds) }).toString()

const sum = (rows: ReadonlyArray<any>, member: string): number =>
  rows.reduce((total: number, row) => total + row[member], 0)

/** Polls without a pause until it is ended. Answers the different values in their order. */
const poll = (read: () => Promise<number>) => {
  const seen: Array<number> = []
  const state = { isOver: false }
  const polling = (async () => {
    while (!state.isOver) {
      const value = await read()
      if (seen.at(-1) !== value) seen.push(value)
      await pause(5)
    }
  })()
  return async () => {
    state.isOver = true
    await polling
    return seen
  }
}

describe("a viewer of an anonymous organization with a publishing interval", () => {
  it("learns no time of a movement but a multiple of it: not by counters, capacities, histories, musters or streams", async () => {
    const { id } = await organization()
    const { id: placeId } = await place(id)
    want(await put(operator, policyOf(id), { eventGrain: INTERVAL }), 200)
    want(await put(owner, `/capacity/organization/${id}`, { capacity: 5 }), 200)
    const viewer: Bearer = await bind(id, server.administrator(unique("viewer")), "viewer")
    const whole = { kind: "organization", id } as const
    const inPlace = { kind: "place", id: placeId } as const
    const early = Array.from({ length: COMING / 4 }, someone)
    const first = early.length
    const tokens: Array<string> = []
    for (const user of early) tokens.push(want(await enter(user, whole), 201).json.exitToken)
    const stream = await open(viewer, `?organizations=${id}`)
    const [{ inside: before }] = (await stream.want("snapshot")).data.organizations
    if (before < first) {
      await stream.until(({ event, data }) => event === "presence.changed" && data.inside === first)
    }
    const { musterId } = want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201).json
    await stream.until(({ event }) => event === "muster.changed")

    const read = async (path: string) => want(await get(viewer, path), 200).json
    const polls = {
      counter: poll(async () => (await read(`/presence/organization/${id}/counter`)).counter),
      counterOfPlace: poll(async () => (await read(`/presence/place/${placeId}/counter`)).counter),
      capacity: poll(async () => (await read(`/capacity/organization/${id}`)).inside),
      history: poll(async () =>
        sum(await read(`/presence/organization/${id}/history?${range("minute", 600)}`), "entered")
      ),
      muster: poll(async () => (await read(`/muster/${musterId}`)).left)
    }
    for (let n = 0; n < COMING / 2; n++) {
      const coming = [whole, whole, inPlace, inPlace].map((premises) => enter(someone(), premises))
      for (const answer of await Promise.all(coming)) want(answer, 201)
      if (n % 2 === 1) want(await leave(early.pop()!, whole, tokens.pop()!), 202)
      await pause(PAUSE)
    }
    const last = new Map<number | undefined, number>()
    const messages = await stream.until(({ event, data }) => {
      if (event === "presence.changed") last.set(data.placeId, data.inside)
      return last.get(undefined) === COMING && last.get(placeId) === COMING
    })
    // The last event is in all answers by now.
    await pause(50)
    const seen = new Map<string, ReadonlyArray<number>>()
    for (const [name, end] of Object.entries(polls)) seen.set(name, await end())

    const events = messages.map(({ data }) => data)
    for (const { at: moment } of events) expect(Date.parse(moment) % (INTERVAL * 1000)).toBe(0)
    expect(events.some(({ type }) => type === "capacity.changed")).toBe(true)
    // Several movements are in one event: an answer with a value between two events would be one of a single movement.
    const changes = events.filter(({ type }) => type === "presence.changed")
    const ofWhole = changes.filter((event) => event.placeId === undefined)
    const added = (all: ReadonlyArray<any>, member: string, first = 0) => [
      first,
      ...all.map((_, n) => first + sum(all.slice(0, n + 1), member))
    ]
    expect(ofWhole.length).toBeLessThan(COMING)
    expect(ofWhole.length).toBeGreaterThan(1)
    const insides = [first, ...ofWhole.map(({ inside }) => inside)]
    const published = {
      counter: insides,
      counterOfPlace: [0, ...changes.filter((event) => event.placeId === placeId).map(({ inside }) => inside)],
      capacity: insides,
      history: added(ofWhole, "entered", first),
      muster: added(ofWhole, "left")
    }
    for (const [name, values] of Object.entries(published)) {
      expect(
        seen.get(name)!.filter((value) => !values.includes(value)),
        name
      ).toEqual([])
      expect(seen.get(name)!.at(-1), name).toBe(values.at(-1))
    }
  })

  it("learns no time from setting a capacity, whose level is published at the next multiple", async () => {
    const { id } = await organization()
    want(await put(operator, policyOf(id), { eventGrain: INTERVAL }), 200)
    const stream = await open(owner, `?organizations=${id}`)
    await stream.want("snapshot")
    want(await enter(someone(), { kind: "organization", id }), 201)
    await stream.want("presence.changed")
    want(await enter(someone(), { kind: "organization", id }), 201)
    want(await put(owner, `/capacity/organization/${id}`, { capacity: 1 }), 200)
    const reading = want(await get(owner, `/capacity/organization/${id}`), 200).json
    const events = (await stream.until(({ event }) => event === "capacity.changed")).map(({ data }) => data)
    for (const { at: moment } of events) expect(Date.parse(moment) % (INTERVAL * 1000)).toBe(0)
    const levelOf = (inside: number) => (inside === 1 ? "full" : "over")
    expect(events.at(-1).level).toBe(levelOf(events.at(-1).inside))
    expect(reading.level).toBe(levelOf(reading.inside))
  })
})

describe("a manager of an anonymous organization with a publishing interval who corrects what devices count", () => {
  it("learns neither the present count nor the order of a movement and the correction", async () => {
    const told = async (isMovementFirst: boolean) => {
      const { id } = await organization()
      const whole = { kind: "organization", id } as const
      const counted = `/presence/organization/${id}/counted`
      want(await put(operator, policyOf(id), { eventGrain: INTERVAL }), 200)
      const stream = await open(owner, `?organizations=${id}`)
      await stream.want("snapshot")
      const door = { name: "Door", premises: [{ organization: true }] }
      const { token } = want(await post(owner, `/device/organization/${id}`, door), 201).json
      const count = async (into: number, out: number) => {
        const readings = [{ organization: true, epoch: "a", in: into, out }]
        want(await post({ ...someone(), token }, "/device/count", { readings }), 200)
      }
      const answers = async () => [
        want(await get(owner, counted), 200).json.counted,
        want(await get(owner, `/presence/organization/${id}/counter`), 200).json.counter,
        want(await get(owner, `/device/organization/${id}`), 200).json[0].drift
      ]
      // All of it is within one interval.
      await pause(INTERVAL * 1000 - (Date.now() % (INTERVAL * 1000)) + 100)
      if (isMovementFirst) want(await enter(someone(), whole), 201)
      await count(3, 0)
      expect(want(await put(owner, counted, { counted: 5 }), 200).json).toMatchObject({ counted: 5, inside: 0 })
      await count(3, 20)
      if (!isMovementFirst) want(await enter(someone(), whole), 201)
      expect(await answers()).toEqual([0, 0, 0])
      const messages = await stream.until(({ data }) => data.corrected === true)
      expect(await answers()).toEqual([5, 6, 0])
      return messages.flatMap(({ event, data: { entered, left, inside, corrected } }) =>
        event === "presence.changed" ? [{ entered, left, inside, corrected }] : []
      )
    }
    const expected = [
      { entered: 1, left: 0, inside: 1, corrected: undefined },
      { entered: 5, left: 0, inside: 6, corrected: true }
    ]
    expect(await Promise.all([told(true), told(false)])).toEqual([expected, expected])
  })
})

describe("an owner who makes an anonymous organization authenticated, reads, and puts the mode back", () => {
  const known = { trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER }
  const lift = async (id: number, read: () => Promise<void>) => {
    want(await put(owner, "/organization", { id, ...known }), 200)
    await read()
    want(await put(owner, "/organization", { id, trackingMode: "anonymous" }), 200)
    await read()
  }

  it("learns no count but that of the last event, and no single stay, also of the past", async () => {
    const { id } = await organization()
    const whole = { kind: "organization", id } as const
    want(await put(operator, policyOf(id), { eventGrain: 60 }), 200)
    // Recorded within one interval, unless the test itself takes one.
    if (Date.now() % 60_000 > 50_000) await pause(60_000 - (Date.now() % 60_000))
    const user = someone()
    const { exitToken } = want(await enter(user, whole, { timestamp: at(-754) }), 201).json
    want(await enter(someone(), whole), 201)
    const { musterId } = want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201).json
    const read = async () => {
      expect(want(await get(owner, `/presence/organization/${id}/counter`), 200).json.counter).toBe(0)
      expect(want(await get(owner, `/capacity/organization/${id}`), 200).json.inside).toBe(0)
      expect(want(await get(owner, `/muster/${musterId}`), 200).json.left).toBe(0)
      const rows = want(await get(owner, `/presence/organization/${id}/history?${range("day", 86_400)}`), 200).json
      expect(sum(rows, "entered")).toBe(0)
    }
    await lift(id, read)
    want(await leave(user, whole, exitToken), 202)
    await lift(id, read)
  })

  it("learns no length of an anonymous stay, that ended before or after", async () => {
    const { id } = await organization()
    const whole = { kind: "organization", id } as const
    want(await put(operator, policyOf(id), { eventGrain: 0 }), 200)
    const [one, other] = [someone(), someone()]
    const first = want(await enter(one, whole, { timestamp: at(-754) }), 201).json.exitToken
    const second = want(await enter(other, whole, { timestamp: at(-1_234) }), 201).json.exitToken
    want(await leave(one, whole, first), 202)
    const read = async (left: number) => {
      for (const step of ["minute", "hour", "day"]) {
        let rows: ReadonlyArray<any>
        do {
          const query = range(step, step === "minute" ? 600 : 86_400)
          rows = want(await get(owner, `/presence/organization/${id}/history?${query}`), 200).json
        } while (sum(rows, "left") < left)
        expect(rows.filter(({ averageStay }) => averageStay !== undefined)).toEqual([])
      }
    }
    await lift(id, () => read(1))
    want(await put(owner, "/organization", { id, ...known }), 200)
    want(await leave(other, whole, second), 202)
    await read(2)
  })
})

describe("a viewer of an anonymous organization who polls the running day", () => {
  it("learns no length of a stay from the difference of two answers", async () => {
    const { id } = await organization()
    const whole = { kind: "organization", id } as const
    const viewer = await bind(id, server.administrator(unique("viewer")), "viewer")
    // The events of single movements: the worst case.
    want(await put(operator, policyOf(id), { eventGrain: 0 }), 200)
    /** What the attack starts from: more entrances than any smallest count asks for. */
    const stays = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const user = someone()
        const { exitToken } = want(await enter(user, whole, { timestamp: at(-4000 - 137 * n) }), 201).json
        return { user, exitToken, seconds: 600 + 211 * n }
      })
    )
    const rows = async (left: number): Promise<ReadonlyArray<any>> => {
      for (;;) {
        const found = want(await get(viewer, `/presence/organization/${id}/history?${range("day", 86_400)}`), 200).json
        if (sum(found, "left") === left) return found
        await pause(50)
      }
    }
    const recovered: Array<number> = []
    let [exits, total] = [0, 0]
    for (const [n, { user, exitToken, seconds }] of stays.entries()) {
      want(await leave(user, whole, exitToken, { timestamp: at(-4000 - 137 * n + seconds) }), 202)
      const row = (await rows(n + 1)).find(({ left }) => left > 0)
      if (row?.averageStay === undefined) continue
      const all = row.averageStay * row.left
      if (row.left === exits + 1) recovered.push(all - total)
      exits = row.left
      total = all
    }
    const hits = recovered.filter((one) => stays.some(({ seconds }) => Math.abs(seconds - one) < 60))
    expect(hits).toEqual([])
  })
})

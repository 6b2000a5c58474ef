/** A phone's day: its visits as they are, and what the server knows of them in the end. */
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import type { startServer } from "../server.ts"
import { at } from "../server.ts"
import { makeNetwork, NETWORK_FAULTS } from "./network.ts"
import { makePhone, type Tab, WRITE_FAULTS } from "./phone.ts"
import { makeWorld } from "./world.ts"

const SECOND = 1_000
const MINUTE = 60_000

const optional = <A>(value: Arbitrary.Arbitrary<A>, oneIn: number): Arbitrary.Arbitrary<A | undefined> =>
  Arbitrary.flatMap(integer(0, oneIn - 1), (luck): Arbitrary.Arbitrary<A | undefined> =>
    luck === oneIn - 1 ? value : Arbitrary.Constant(undefined)
  )

export const scenario = Arbitrary.map(
  Arbitrary.all([
    anyOf(["by hand", "by position"]),
    anyOf([false, true]),
    anyOf([1, 2]),
    anyOf([false, true]),
    anyOf([0, 0, 40 * SECOND, 10 * MINUTE, 120 * MINUTE, -120 * MINUTE]),
    Arbitrary.array(Arbitrary.all([integer(0, 3), integer(5, 12)]), { minLength: 1, maxLength: 5 }),
    Arbitrary.array(anyOf(NETWORK_FAULTS), { maxLength: 40 }),
    Arbitrary.array(Arbitrary.all([integer(0, 80), integer(1, 4), anyOf(WRITE_FAULTS)]), { maxLength: 3 }),
    Arbitrary.array(Arbitrary.all([integer(0, 2400), integer(0, 1), integer(1, 60)]), { maxLength: 4 }),
    optional(Arbitrary.all([integer(0, 40), integer(1, 90)]), 3),
    integer(0, 2 ** 31 - 1)
  ]),
  ([mode, isAsync, tabs, hasLocks, skew, legs, network, writes, kills, outage, seed]) => ({
    mode,
    isAsync,
    tabs,
    /** Two tabs on asynchronous storage need locks, as browsers and Node have them. */
    hasLocks: hasLocks || (isAsync && tabs === 2),
    skew,
    /** Where the phone is, and for how many minutes. */
    legs,
    network,
    /** From which write on, how many, and what becomes of them. */
    writes,
    /** After how many seconds, which tab, and for how many seconds. */
    kills,
    /** From which minute on, and for how many. */
    outage,
    seed
  })
)

export type Scenario = typeof scenario extends Arbitrary.Arbitrary<infer A> ? A : never

/** Cells that are outside, in the organization alone, in its west place and in its east one. */
const CELLS = [
  [-60, 50],
  [50, 20],
  [30, 50],
  [70, 50]
] as const

/** A visit as it was: the entrance and the exit each between two times. */
interface TrueVisit {
  readonly entrance: readonly [number, number]
  exit: readonly [number, number] | undefined
}

type Server = Awaited<ReturnType<typeof startServer>>

/** How long a position takes to be decided on, at most, with tabs that are killed meanwhile. */
const DECISION = 5 * MINUTE

const START = Date.UTC(2026, 4, 4, 8)

/** Plays a scenario, and answers what is wrong in the end. */
export const simulate = async (server: Server, scenario: Scenario): Promise<ReadonlyArray<string>> => {
  const organization = await server.found()
  const realNow = Date.now
  const world = makeWorld(START, scenario.seed)
  Date.now = world.now
  try {
    return await play(server, organization, world, scenario)
  } catch (error) {
    return [String(error)]
  } finally {
    Date.now = realNow
  }
}

const play = async (
  server: Server,
  { organizationId, west, east }: Awaited<ReturnType<Server["found"]>>,
  world: ReturnType<typeof makeWorld>,
  scenario: Scenario
) => {
  const premises = [{ organizationId }, { placeId: west }, { placeId: east }] as const
  const paths = [`organization/${organizationId}`, `place/${west}`, `place/${east}`]
  const legs = [...scenario.legs, [0, 6] as const]
  const isInside = (place: number, where: number) => (place === 0 ? where > 0 : where === place + 1)
  const truth: ReadonlyArray<Array<TrueVisit>> = premises.map(() => [])
  /** The tokens that the server has given, of each premises. */
  const issued = premises.map(() => new Set<string>())
  let areFaultsOver = false

  const isDown = () => {
    const [from, minutes] = scenario.outage ?? [0, 0]
    const minute = (world.now() - START) / MINUTE
    return !areFaultsOver && minute >= from && minute < from + minutes
  }
  /** How often in a row the server's time could not be had: after four times an entrance goes with the phone's. */
  let timeless = 0
  let wasTimeless = false
  const network = makeNetwork({
    world,
    askedTime: (isAnswered) => {
      timeless = isAnswered ? 0 : timeless + 1
      if (timeless >= 4) wasTimeless = true
    },
    faults: scenario.network,
    isDown,
    server: async (url, request, time) => {
      // Tokens of one user differ in what follows the tilde.
      const authorization = request.headers.authorization?.replace(/~.*/, "")
      const headers = { ...request.headers, ...(authorization && { authorization }) }
      // What has arrived is worked on, also for a client that is gone.
      const { signal: _, ...arrived } = request
      const response = await server.fetch(url, { ...arrived, headers }, time)
      const text = await response.text()
      if (response.status === 201) {
        const { organizationId, placeId, exitToken } = JSON.parse(text)
        issued[organizationId !== undefined ? 0 : placeId === west ? 1 : 2]!.add(exitToken)
      }
      return { ...response, status: response.status, headers: response.headers, text: async () => text }
    }
  })
  const tabs: Array<Tab> = []
  const phone = makePhone({
    world,
    url: "http://sojourn.test",
    user: `user:${organizationId}`,
    skew: scenario.skew,
    isAsync: scenario.isAsync,
    hasLocks: scenario.hasLocks,
    writeFault: (write) =>
      areFaultsOver ? undefined : scenario.writes.find(([from, count]) => write >= from && write < from + count)?.[2],
    network,
    onKill: (tab) => reopen(tabs.indexOf(tab), 5)
  })
  const open = (index: number) => {
    const tab = phone.open()
    tabs[index] = tab
  }
  const reopen = (index: number, seconds: number) =>
    world.after(seconds * SECOND, () => {
      if (!tabs[index]!.isAlive()) open(index)
    })
  for (let index = 0; index < scenario.tabs; index++) open(index)
  for (const [second, index, seconds] of scenario.kills) {
    world.after(second * SECOND, () => {
      tabs[index]?.kill()
      if (tabs[index] !== undefined) reopen(index, seconds)
    })
  }

  /** Calls a tracker until one has done it: the app's user sees that a button did nothing. */
  const insist = (act: (tracker: NonNullable<ReturnType<Tab["tracker"]>>) => Promise<unknown>) =>
    new Promise<void>((resolve) => {
      const attempt = () => {
        const ready = tabs.filter((tab) => tab.isAlive() && tab.tracker() !== undefined)
        const tab = ready[Math.floor(world.random() * ready.length)]
        if (tab === undefined) return void world.after(SECOND, attempt)
        let isOver = false
        const once = (then: () => void) => () => {
          if (!isOver) then()
          isOver = true
        }
        const again = once(() => void world.after(2 * SECOND, attempt))
        tab.killed.push(again)
        act(tab.tracker()!).then(once(resolve), again)
      }
      attempt()
    })

  const byHand = async (where: number, before: number) => {
    const changes = premises.flatMap((one, place) => {
      const [is, was] = [isInside(place, where), isInside(place, before)]
      return is === was ? [] : [{ one, place, is }]
    })
    // Inner before outer to leave, outer before inner to enter.
    const ordered = changes.sort(
      (a, b) => Number(a.is) - Number(b.is) || (a.is ? a.place - b.place : b.place - a.place)
    )
    for (const { one, place, is } of ordered) {
      const begun = world.now()
      await insist((tracker) => (is ? tracker.enter(one) : tracker.leave(one)))
      const during = [begun, world.now()] as const
      if (is) truth[place]!.push({ entrance: during, exit: undefined })
      else truth[place]!.at(-1)!.exit = during
    }
  }

  const byPosition = (where: number, before: number) => {
    const during = [world.now() - MINUTE, world.now() + DECISION] as const
    for (const place of premises.keys()) {
      if (isInside(place, where) === isInside(place, before)) continue
      if (isInside(place, where)) truth[place]!.push({ entrance: during, exit: undefined })
      else truth[place]!.at(-1)!.exit = during
    }
  }

  let current = 0
  const fix = () => {
    const [x, y] = CELLS[current]!
    const position = at(x, y, world.now() + scenario.skew)
    for (const tab of tabs) tab.tracker()?.push(position)
    world.after(10 * SECOND, fix)
  }

  const run = (milliseconds: number) => world.runUntil(world.now() + milliseconds)
  /** What the run waits for. */
  const unfinished = new Set<unknown>()
  const unfinishedUntil = (work: Promise<void>) => {
    unfinished.add(work)
    void work.then(() => unfinished.delete(work))
  }
  if (scenario.mode === "by position") {
    unfinishedUntil(insist((tracker) => tracker.follow([organizationId])))
    world.after(0, fix)
  }
  // Where the areas cannot be loaded the phone decides nothing.
  await run(2 * MINUTE)
  for (let waited = 0; waited < 200 && (unfinished.size > 0 || isDown()); waited++) await run(MINUTE)
  await run(8 * MINUTE)
  for (const [where, minutes] of legs) {
    const before = current
    current = where
    if (scenario.mode === "by hand") {
      unfinishedUntil(byHand(where, before))
      await run(MINUTE)
      for (let waited = 0; waited < 60 && unfinished.size > 0; waited++) await run(MINUTE)
    } else {
      byPosition(where, before)
    }
    await run(minutes * MINUTE)
  }
  if (unfinished.size > 0) return ["what was done by hand was never done"]
  areFaultsOver = true
  await run(200 * MINUTE)

  const wrong: Array<string> = []
  for (const [place, one] of premises.entries()) {
    const expected = truth[place]!
    const tokens = [...issued[place]!]
    const name = JSON.stringify(one)
    if (tokens.length !== expected.length) wrong.push(`${name}: ${tokens.length} stays, and ${expected.length} visits`)
    const stays: ReadonlyArray<{ entranceTimestamp: string; exitTimestamp: string }> =
      tokens.length === 0
        ? []
        : ((await server.call("user:audit", "GET", `/access/${paths[place]}/anonymous/${tokens.join()}`)) ?? [])
    const isUncorrected = wasTimeless || Math.abs(scenario.skew) <= MINUTE
    const tolerance = 3 * SECOND + (isUncorrected ? Math.abs(scenario.skew) : 0)
    const isWithin = (time: string, [from, to]: readonly [number, number]) =>
      Date.parse(time) >= from - tolerance && Date.parse(time) <= to + tolerance
    for (const [index, { entrance, exit }] of expected.entries()) {
      const stay = stays[index]
      if (stay === undefined) wrong.push(`${name}: visit ${index} is not completed`)
      else if (!isWithin(stay.entranceTimestamp, entrance) || !isWithin(stay.exitTimestamp, exit!)) {
        const shown = [entrance, exit!].map((range) => range.map((time) => new Date(time).toISOString()).join(".."))
        wrong.push(`${name}: visit ${index} is ${JSON.stringify(stay)}, and was ${shown.join(" to ")}`)
      }
    }
    const reading: Array<number> = []
    const own = insist((tracker) => tracker.accesses(one).then(({ length }) => reading.push(length)))
    await run(MINUTE)
    await Promise.race([own, Promise.resolve()])
    if (reading[0] !== expected.length)
      wrong.push(`${name}: the phone reads ${reading[0]} accesses of ${expected.length}`)
  }
  for (const tab of tabs) {
    const tracker = tab.tracker()
    if (tracker === undefined) return [...wrong, "there is no tracker in the end"]
    const { waiting, refused, inside } = tracker.status()
    if (waiting > 0 || refused.length > 0 || inside.length > 0) {
      wrong.push(`in the end: ${JSON.stringify({ waiting, refused, inside })}`)
    }
  }
  return wrong
}

/** A phone's day: its visits as they are, and what the server knows of them in the end. */
import { at, type Server } from "../server.ts"
import { auditPremises, auditTabs } from "./audit.ts"
import { makeNetwork } from "./network.ts"
import type { Scenario } from "./scenario.ts"
import { makeTabs } from "./tabs.ts"
import { makeVisits } from "./visits.ts"
import { makeWorld, type World } from "./world.ts"

const SECOND = 1_000
const MINUTE = 60_000

/** Cells that are outside, in the organization alone, in its west place and in its east one. */
const CELLS = [
  [-60, 50],
  [50, 20],
  [30, 50],
  [70, 50]
] as const

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

/** The requests of a phone to the server, with the tokens that it gave, of each premises. */
const recordTokens = (server: Server, west: number) => {
  const issued = [new Set<string>(), new Set<string>(), new Set<string>()] as const
  const fetch: Server["fetch"] = async (url, request, time) => {
    // Tokens of one user differ in what follows the tilde.
    const authorization = request.headers.authorization?.replace(/~.*/, "")
    const headers = { ...request.headers, ...(authorization && { authorization }) }
    // What has arrived is worked on, also for a client that is gone.
    const { signal: _, ...arrived } = request
    const response = await server.fetch(url, { ...arrived, headers }, time)
    const text = await response.text()
    if (response.status === 201) {
      const { organizationId, placeId, exitToken } = JSON.parse(text)
      issued[organizationId !== undefined ? 0 : placeId === west ? 1 : 2].add(exitToken)
    }
    return { ...response, status: response.status, headers: response.headers, text: async () => text }
  }
  return { issued, fetch }
}

/** What a run waits for. */
const makeUnfinished = () => {
  const unfinished = new Set<unknown>()
  return {
    isEmpty: () => unfinished.size === 0,
    until: (work: Promise<void>) => {
      unfinished.add(work)
      void work.then(() => unfinished.delete(work))
    }
  }
}

/** The network and the outages of a scenario. `end` ends all faults. */
const makeFaults = (server: Server, west: number, world: World, scenario: Scenario) => {
  const { issued, fetch } = recordTokens(server, west)
  let areOver = false
  /** How often in a row the server's time could not be had: after four times an entrance goes with the phone's. */
  let timeless = 0
  let wasTimeless = false
  const isDown = () => {
    const [from, minutes] = scenario.outage ?? [0, 0]
    const minute = (world.now() - START) / MINUTE
    return !areOver && minute >= from && minute < from + minutes
  }
  const askedTime = (isAnswered: boolean) => {
    timeless = isAnswered ? 0 : timeless + 1
    if (timeless >= 4) wasTimeless = true
  }
  return {
    issued,
    isDown,
    network: makeNetwork({ world, askedTime, faults: scenario.network, isDown, server: fetch }),
    writeFault: (write: number) =>
      areOver ? undefined : scenario.writes.find(([from, count]) => write >= from && write < from + count)?.[2],
    /** How far times may be off, in milliseconds. */
    tolerance: () => {
      const isUncorrected = wasTimeless || Math.abs(scenario.skew) <= MINUTE
      return 3 * SECOND + (isUncorrected ? Math.abs(scenario.skew) : 0)
    },
    end: () => {
      areOver = true
    }
  }
}

const play = async (
  server: Server,
  { organizationId, west, east }: Awaited<ReturnType<Server["found"]>>,
  world: World,
  scenario: Scenario
): Promise<ReadonlyArray<string>> => {
  const premises = [{ organizationId }, { placeId: west }, { placeId: east }] as const
  const paths = [`organization/${organizationId}`, `place/${west}`, `place/${east}`]
  const faults = makeFaults(server, west, world, scenario)
  const { network, writeFault } = faults
  const { tabs, insist } = makeTabs(world, scenario, { user: `user:${organizationId}`, network, writeFault })
  const visits = makeVisits(world, premises)
  const unfinished = makeUnfinished()
  const run = (milliseconds: number) => world.runUntil(world.now() + milliseconds)

  let current = 0
  const fix = () => {
    const [x, y] = CELLS[current]!
    const position = at(x, y, world.now() + scenario.skew)
    for (const tab of tabs) tab.tracker()?.push(position)
    world.after(10 * SECOND, fix)
  }
  if (scenario.mode === "by position") {
    unfinished.until(insist((tracker) => tracker.follow([organizationId])))
    world.after(0, fix)
  }
  // Where the areas cannot be loaded the phone decides nothing.
  await run(2 * MINUTE)
  for (let waited = 0; waited < 200 && (!unfinished.isEmpty() || faults.isDown()); waited++) await run(MINUTE)
  await run(8 * MINUTE)
  for (const [where, minutes] of [...scenario.legs, [0, 6] as const]) {
    const before = current
    current = where
    if (scenario.mode === "by hand") {
      unfinished.until(visits.byHand(insist, where, before))
      await run(MINUTE)
      for (let waited = 0; waited < 60 && !unfinished.isEmpty(); waited++) await run(MINUTE)
    } else visits.byPosition(where, before, [world.now() - MINUTE, world.now() + DECISION])
    await run(minutes * MINUTE)
  }
  if (!unfinished.isEmpty()) return ["what was done by hand was never done"]
  faults.end()
  await run(200 * MINUTE)

  const wrong: Array<string> = []
  for (const [place, one] of premises.entries()) {
    const tokens = [...faults.issued[place]!]
    const audit = { server, path: paths[place]!, tokens, tolerance: faults.tolerance(), insist, run }
    wrong.push(...(await auditPremises(one, visits.truth[place]!, audit)))
  }
  return [...wrong, ...auditTabs(tabs)]
}

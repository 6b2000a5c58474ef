/** Compares what the server and the phone know in the end with the visits as they were. */
import type { Server } from "../server.ts"
import type { Tab } from "./phone.ts"
import type { Insist } from "./tabs.ts"
import type { During, Premises, TrueVisit } from "./visits.ts"

const MINUTE = 60_000

interface Stay {
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
}

/** What is wrong with the stays of some premises. Times may be off by a tolerance, in milliseconds. */
export const wrongStays = (
  stays: ReadonlyArray<Stay>,
  expected: ReadonlyArray<TrueVisit>,
  tolerance: number
): ReadonlyArray<string> => {
  const isWithin = (time: string, [from, to]: During) =>
    Date.parse(time) >= from - tolerance && Date.parse(time) <= to + tolerance
  return expected.flatMap(({ entrance, exit }, index) => {
    const stay = stays[index]
    if (stay === undefined) return [`visit ${index} is not completed`]
    if (isWithin(stay.entranceTimestamp, entrance) && isWithin(stay.exitTimestamp, exit!)) return []
    const shown = [entrance, exit!].map((range) => range.map((time) => new Date(time).toISOString()).join(".."))
    return [`visit ${index} is ${JSON.stringify(stay)}, and was ${shown.join(" to ")}`]
  })
}

/** What is wrong at some premises: the stays at the server, and the accesses that the phone reads. */
export const auditPremises = async (
  one: Premises,
  expected: ReadonlyArray<TrueVisit>,
  {
    server,
    path,
    tokens,
    tolerance,
    insist,
    run
  }: {
    readonly server: Server
    readonly path: string
    /** The tokens that the server gave. */
    readonly tokens: ReadonlyArray<string>
    readonly tolerance: number
    readonly insist: Insist
    readonly run: (milliseconds: number) => Promise<unknown>
  }
): Promise<ReadonlyArray<string>> => {
  const wrong: Array<string> = []
  if (tokens.length !== expected.length) wrong.push(`${tokens.length} stays, and ${expected.length} visits`)
  const listed = `/access/${path}/anonymous/${tokens.join()}`
  const stays = tokens.length === 0 ? [] : ((await server.call("user:audit", "GET", listed)) ?? [])
  wrong.push(...wrongStays(stays, expected, tolerance))
  const reading: Array<number> = []
  const own = insist((tracker) => tracker.accesses(one).then(({ length }) => reading.push(length)))
  await run(MINUTE)
  await Promise.race([own, Promise.resolve()])
  if (reading[0] !== expected.length) wrong.push(`the phone reads ${reading[0]} accesses of ${expected.length}`)
  return wrong.map((what) => `${JSON.stringify(one)}: ${what}`)
}

/** What is wrong with the status of trackers: in the end nothing waits, was refused or is inside. */
export const auditTabs = (tabs: ReadonlyArray<Tab>): ReadonlyArray<string> =>
  tabs.flatMap((tab) => {
    const tracker = tab.tracker()
    if (tracker === undefined) return ["there is no tracker in the end"]
    const { waiting, refused, inside } = tracker.status()
    const isOver = waiting === 0 && refused.length === 0 && inside.length === 0
    return isOver ? [] : [`in the end: ${JSON.stringify({ waiting, refused, inside })}`]
  })

/** Creates people, erases them and scans for traces: for the test, and for `npm run erase-people` with more people. */
import type { Bearer } from "../callers.ts"
import { want } from "../fixtures.ts"
import { startGround } from "./ground.ts"
import { foundCountry, liveAll, subjectsOf } from "./people.ts"
import { isSilent, marksIn } from "./marks.ts"
import { scan, type Scan } from "./scan.ts"

/** The results of erasing `people` people. */
export interface Report {
  readonly people: number
  /** The number of people found in each source before the erasure. */
  readonly before: ReadonlyMap<string, number>
  /** The sources that contain a name after the erasure. */
  readonly traces: ReadonlyArray<string>
  /** The sums over the answers of all erasures. */
  readonly erased: Readonly<Record<string, number>>
  /** The sums over the ledgers of all towns. `reportsLost` is the decrease of the reports of their places. */
  readonly ledger: Readonly<Record<"people" | "accesses" | "openStays" | "totalTime", number>>
  readonly reportsLost: number
  /** The sum of the counters of all towns and places after the erasure. */
  readonly inside: number
  /** The median and the longest duration of an erasure, in milliseconds. */
  readonly took: { readonly middle: number; readonly longest: number }
}

const tracesIn = (found: Scan): ReadonlyArray<string> =>
  [...found].filter(([, marks]) => !isSilent(marks)).map(([name, { people }]) => `${name}: ${people.size} people`)

/** Creates people, erases all of them, and scans for traces. */
export const erasePeople = async (people: number, say: (line: string) => void): Promise<Report> => {
  const ground = await startGround("--log-level", "all", "--request-log", "all")
  let isStopped = false
  try {
    const country = await foundCountry(ground, people)
    await liveAll(ground, country, people)
    const subjects = Array.from({ length: people }, (_, number) => subjectsOf(country, number)).flat()
    say(`${people} people live in ${country.towns.length} organizations`)
    const before = await scan(ground, country, subjects)

    const { operator, owner } = ground
    const total = async (path: (town: (typeof country.towns)[number]) => string, who: Bearer, field: string) => {
      let sum = 0
      for (const town of country.towns) {
        const answer = await ground.get(who, path(town))
        const all = answer.status === 204 ? [] : [want(answer, 200).json].flat()
        for (const one of all) sum += one[field]
      }
      return sum
    }
    const reported = () => total(({ place }) => `/report/place/${place}`, owner, "totalTime")
    const reportedBefore = await reported()

    const erased: Record<string, number> = {}
    const times: Array<number> = []
    for (const json of subjects) {
      const began = performance.now()
      const answer = await ground.eraseData(json)
      for (const [kind, count] of Object.entries<number>(want(answer, 200).json)) {
        erased[kind] = (erased[kind] ?? 0) + count
      }
      times.push(performance.now() - began)
    }
    times.sort((one, other) => one - other)
    say(`${subjects.length} erasures, ${Math.round(times.reduce((sum, time) => sum + time, 0))} ms`)

    const after = await scan(ground, country, subjects)
    const ofLedger = (field: string) => total(({ id }) => `/operator/organization/${id}/erasure`, operator, field)
    const inside =
      (await total(({ id }) => `/presence/organization/${id}/counter`, owner, "counter")) +
      (await total(({ place }) => `/presence/place/${place}/counter`, owner, "counter"))
    const report = {
      people,
      before: new Map([...before].map(([name, found]) => [name, found.people.size])),
      erased,
      ledger: {
        people: await ofLedger("people"),
        accesses: await ofLedger("accesses"),
        openStays: await ofLedger("openStays"),
        totalTime: await ofLedger("totalTime")
      },
      reportsLost: reportedBefore - (await reported()),
      inside,
      took: { middle: times[Math.floor(times.length / 2)] ?? 0, longest: times.at(-1) ?? 0 }
    }
    isStopped = true
    const { out, err } = await ground.stop()
    const said = marksIn(`${out}${err}`)
    const traces = [...tracesIn(after), ...(isSilent(said) ? [] : ["what the server said until it ended"])]
    return { ...report, traces }
  } finally {
    if (!isStopped) await ground.stop()
    ground.remove()
  }
}

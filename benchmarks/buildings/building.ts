/** A building of floors and rooms on a server: how long it takes to make it over HTTP, and to change it. */
import { Effect } from "effect"
import { makeClient } from "../../packages/server/test/faults/client.ts"
import { fixturesOn } from "../../packages/server/test/faults/town.ts"
import { rectangle, want } from "../../packages/server/test/fixtures.ts"
import { startServer } from "../shared/Place.ts"
import { digits, markdown, median, quantile } from "../shared/statistics.ts"

/** The parameters of a run. */
export interface Building {
  readonly storage: "embedded" | "memory"
  readonly floors: number
  /** The rooms of each floor. */
  readonly rooms: number
  /** How often each change is made. */
  readonly times: number
}

/** The run that the project measures itself by. */
export const USUAL: Building = { storage: "embedded", floors: 40, rooms: 50, times: 40 }

/** The times of a run, in milliseconds. */
export interface Measured {
  readonly places: number
  readonly making: number
  readonly changes: ReadonlyMap<string, ReadonlyArray<number>>
}

/** The rectangle of the building and its floors; a little smaller in every second version. */
const outline = (version: number) => rectangle(11.1, 45.1, 11.2, 45.2 - 0.001 * (version % 2))

/** The nth cell of a grid of ten columns inside every version of the outline; a little smaller in every second version. */
const cell = (nth: number, rows: number, version = 0) => {
  const [west, south, height] = [
    11.101 + 0.0098 * (nth % 10),
    45.101 + Math.floor(nth / 10) * (0.09 / rows),
    0.09 / rows
  ]
  return rectangle(west, south, west + 0.0098, south + height * (version % 2 === 0 ? 1 : 0.9))
}

/** A level that no floor has, and no other change uses. */
const FREE_LEVEL = 300

/** How long something takes, in milliseconds. */
const timeOf = async (run: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await run()
  return performance.now() - began
}

/** Makes a building on a server of its own, and changes it, one request at a time. Any other answer than a success is a failure. */
export const measureBuilding = Effect.fnUntraced(function* ({ storage, floors, rooms, times }: Building) {
  // Beside the rooms: the floors, the building, its site, and the rooms that are added.
  const most = (rooms + 1) * floors + 2 + times
  const { baseUrl, key } = yield* startServer(storage, ["--most-places", String(most)])
  return yield* Effect.promise(async (): Promise<Measured> => {
    const client = makeClient()
    const { get, organization, owner, place, put, remove } = fixturesOn(client, () => baseUrl, key)
    const { id: organizationId } = await organization()
    const make = async (trackingArea: string, over: object): Promise<number> =>
      (await place(organizationId, trackingArea, over)).id
    const change = async (placeId: number, over: object) =>
      want(await put(owner, "/place", { id: placeId, ...over }), 200, "a change")

    const site = await make(rectangle(11.05, 45.05, 11.25, 45.25), { name: "Site", level: -100 })
    const floorIds: Array<number> = []
    const roomIds: Array<number> = []
    let building = 0
    // The last row stays free for rooms that are added.
    const rows = Math.ceil(rooms / 10) + 1
    const making = await timeOf(async () => {
      building = await make(outline(0), { name: "Building" })
      for (let level = 0; level < floors; level++) {
        const floor = await make(outline(0), { name: `Floor ${level}`, level, parentId: building })
        floorIds.push(floor)
        for (let nth = 0; nth < rooms; nth++) {
          roomIds.push(await make(cell(nth, rows), { name: `Room ${nth}`, parentId: floor }))
        }
      }
    })

    const added: Array<number> = []
    const free = (nth: number) => ({ parentId: floorIds[nth % floors]!, name: "Added" })
    const room = (nth: number) => (Math.floor(nth / 2) * 37) % roomIds.length
    const floor = (nth: number) => Math.floor(nth / 2) % floors
    /** The changes by their names: every second call undoes the one before. */
    const kinds: Readonly<Record<string, (nth: number) => Promise<unknown>>> = {
      "a room's area": (nth) => change(roomIds[room(nth)]!, { trackingArea: cell(room(nth) % rooms, rows, nth + 1) }),
      "a floor's level": (nth) => change(floorIds[floor(nth)]!, { level: nth % 2 === 0 ? FREE_LEVEL : floor(nth) }),
      "a floor's area": (nth) => change(floorIds[floor(nth)]!, { trackingArea: outline(nth + 1) }),
      "the building's area": (nth) =>
        change(building, { trackingArea: rectangle(11.1, 45.1, 11.2 + 0.01 * ((nth + 1) % 2), 45.2) }),
      "the building's level": (nth) => change(building, { level: nth % 2 === 0 ? FREE_LEVEL : null }),
      "the building's parent": (nth) => change(building, { parentId: nth % 2 === 0 ? site : null }),
      "a room added": async (nth) =>
        added.push(await make(cell(10 * (rows - 1) + (Math.floor(nth / floors) % 10), rows), free(nth))),
      "a room removed": async () => want(await remove(owner, `/place/${added.pop()}`), 205, "a removal")
    }
    const changes = new Map<string, ReadonlyArray<number>>()
    for (const [kind, once] of Object.entries(kinds)) {
      const taken: Array<number> = []
      for (let nth = 0; nth < times; nth++) taken.push(await timeOf(() => once(nth)))
      changes.set(kind, taken)
    }
    const places = want(await get(owner, `/place/organization/${organizationId}`), 200).json.length as number
    client.close()
    return { places, making, changes }
  })
}, Effect.scoped)

/** The times as a table. */
export const tableOf = ({ places, making, changes }: Measured): string => {
  const rows = [...changes].map(([kind, taken]) => {
    const sorted = taken.toSorted((one, other) => one - other)
    return [
      kind,
      String(taken.length),
      digits(sorted[0]!, 1),
      digits(median(sorted), 1),
      digits(quantile(sorted, 0.95), 1)
    ]
  })
  const made = `${places} places made in ${digits(making / 1000, 1)} s`
  return `${made}\n\n${markdown([["change", "times", "least ms", "median ms", "p95 ms"], ...rows])}`
}

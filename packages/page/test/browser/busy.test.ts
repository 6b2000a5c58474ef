/** The page while many places change: it ends with the last counts. `npm run page` prints what that costs. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { addressOf, area, count, missing, pageForThisFile, PATIENCE, row } from "./visiting.ts"

const { sojourn, call, operator, enter, organization, place, want, visitAsOwner } = await pageForThisFile()
const visitor = sojourn.user("visitor")

const isAsked = process.env["SOJOURN_PAGE_REPORT"] === "1"

/** How many places there are, for how many seconds people enter them, and how many do in a second. */
const [PLACES, SECONDS, RATE] = isAsked ? [2_000, 20, 250] : [200, 2, 100]
const COLUMNS = 50

/** An organization whose movements become an event each, and its places. */
const withManyPlaces = async () => {
  const { id } = await organization()
  const path = `/operator/organization/${id}/policy`
  const policy = want(await call(operator, "GET", path), 200).json
  want(await call(operator, "PUT", path, { json: { ...policy, eventGrain: 0 } }), 200)
  const placeIds: Array<number> = []
  for (let n = 0; n < PLACES; n++) {
    const [west, south] = [11.01 + 0.018 * (n % COLUMNS), 45.01 + 0.022 * Math.floor(n / COLUMNS)]
    placeIds.push((await place(id, area(west, south, west + 0.012, south + 0.012), { name: `Room ${n + 1}` })).id)
  }
  return { id, placeIds }
}

/** Lets people enter one place after the other at the rate, and answers how many entered. */
const enterAll = async (placeIds: ReadonlyArray<number>): Promise<number> => {
  const pending = new Set<Promise<void>>()
  const startedAt = performance.now()
  let entered = 0
  const enterNext = async () => {
    want(await enter(visitor, { kind: "place", id: placeIds[entered++ % placeIds.length]! }), 201)
  }
  while (performance.now() - startedAt < SECONDS * 1_000) {
    while (entered < ((performance.now() - startedAt) / 1_000) * RATE && pending.size < 40) {
      const one = enterNext().finally(() => pending.delete(one))
      pending.add(one)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await Promise.all(pending)
  return entered
}

/** What the page's process spent so far, in seconds: its main thread with tasks, and all of its threads with computing. */
const metersOf = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable")
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics")
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value
    return { mainThread: of("TaskDuration"), processor: of("ProcessTime") }
  }
}

/** Presses a row, and answers after how many milliseconds it is shown as selected. */
const PRESS = `(async (nth) => {
  const button = document.querySelectorAll("table.counts tbody button")[nth]
  const startedAt = performance.now()
  await new Promise((done) => setTimeout(() => {
    button.click()
    const look = () => button.getAttribute("aria-pressed") === "true" ? done() : requestAnimationFrame(look)
    look()
  }))
  return performance.now() - startedAt
})`

describe.skipIf(missing !== undefined)("the page while many places change", { timeout: PATIENCE }, () => {
  it(
    "ends with the last counts, and answers meanwhile",
    async () => {
      const { id, placeIds } = await withManyPlaces()
      await visitAsOwner({ fragment: addressOf(id), viewport: { width: 1280, height: 900 } }, async (page) => {
        await row(page, "Room 1").waitFor()
        const read = await metersOf(page)
        const [before, startedAt] = [await read(), performance.now()]
        const entering = enterAll(placeIds)
        const presses: Array<number> = []
        for (let nth = 1; nth < 6; nth++) presses.push(await page.evaluate<number>(`${PRESS}(${nth})`))
        const entered = await entering
        const [after, seconds] = [await read(), (performance.now() - startedAt) / 1_000]
        const last = `Room ${((entered - 1) % PLACES) + 1}`
        await page.getByPlaceholder("Search").fill(last)
        await count(page, last, Math.ceil(entered / PLACES))
        const height = () => page.evaluate<number>("document.documentElement.scrollHeight")
        assert.isBelow(await height(), 2_500)
        await page.getByRole("link", { name: "Areas", exact: true }).click()
        await page.getByRole("grid", { name: "Places" }).waitFor()
        assert.isBelow(await height(), 5_000)
        if (!isAsked) return
        const share = (of: keyof typeof before) => `${(((after[of] - before[of]) / seconds) * 100).toFixed(0)} %`
        console.log(
          [
            "| Places | Events a second | Main thread | Processor | Slowest press, ms |",
            "| - | - | - | - | - |",
            `| ${PLACES} | ${(entered / seconds).toFixed(0)} | ${share("mainThread")} | ${share("processor")} | ${Math.max(...presses).toFixed(0)} |`
          ].join("\n")
        )
      })
    },
    PATIENCE * 3
  )
})

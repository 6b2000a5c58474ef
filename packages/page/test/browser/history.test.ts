/** The chart of a history in Chromium: read by pointer and by keyboard, beside the capacity and other days. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { addressOf, faultsOf, missing, pageForThisFile, PATIENCE, row, until } from "./visiting.ts"

const { sojourn, owner, enter, put, want, visitAsOwner, withPlaces } = await pageForThisFile()
const visitor = sojourn.user("visitor")

const STEPS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Answers histories of a feed that began at a whole minute, with ten people inside ever since. What the server refuses it is asked. */
const plantHistory = (page: Page, beganAt: number) =>
  page.route("**/history?*", (route) => {
    const asked = new URL(route.request().url()).searchParams
    const length = STEPS[asked.get("step") as keyof typeof STEPS]
    const first = Math.floor(Date.parse(asked.get("from")!) / length)
    const end = Math.ceil(Date.parse(asked.get("to")!) / length)
    if (end - first > 1_500) return route.continue()
    const json = Array.from({ length: end - first }, (_, nth) => (first + nth) * length)
      .filter((at) => at + length > beganAt && at < Date.now())
      .map((at) => {
        const part = (at + length - Math.max(at, beganAt)) / length
        return { from: new Date(at).toISOString(), entered: 0, left: 0, least: 0, most: 10, average: 10 * part }
      })
    return json.length === 0 ? route.fulfill({ status: 204 }) : route.fulfill({ json })
  })

describe.skipIf(missing !== undefined)("the chart of a history", { timeout: PATIENCE }, () => {
  it("shows a time and a value by pointer and keys, ends with the live count, and names the capacity", async () => {
    const { id } = await withPlaces()
    want(await put(owner, `/capacity/organization/${id}`, { capacity: 12 }), 200)
    want(await enter(visitor, { kind: "organization", id }), 201)
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 320]
    ] as const) {
      await visitAsOwner({ fragment: addressOf(id), colorScheme, viewport: { width, height: 900 } }, async (page) => {
        const chart = page.getByRole("slider")
        await chart.waitFor()
        const said = () => chart.getAttribute("aria-valuetext")
        const live = (await said())!
        assert.match(live, /^Now: \d+ inside$/)
        await chart.focus()
        await page.keyboard.press("ArrowLeft")
        await until(said).toMatch(/^\d\d:\d\d: [\d.]+ inside$/)
        await page
          .locator(".readout")
          .getByText((await said())!)
          .waitFor()
        await page.keyboard.press("End")
        // The live count, as soon as a user enters.
        want(await enter(visitor, { kind: "organization", id }), 201)
        const inside = Number(/\d+/.exec(live)![0]) + 1
        await until(said).toBe(`Now: ${inside} inside`)
        await chart.getByText("Capacity").waitFor()
        await page.getByText(/on average, since counting began on /).waitFor()
        const { x, y, width, height } = (await chart.boundingBox())!
        await page.mouse.move(x + width * 0.7, y + height / 2)
        await until(said).toMatch(/^\d\d:\d\d: /)
        await page.mouse.move(0, 0)
        await until(said).toBe(`Now: ${inside} inside`)

        await page.getByText("Busiest hours").click()
        const grid = page.getByRole("table", { name: /People inside on average/ })
        await grid.waitFor()
        assert.strictEqual(await grid.getByRole("row").count(), 25)
        assert.deepStrictEqual(await grid.locator("th[scope=col]").first().innerText(), "Mon")
        await until(() => grid.locator("[style*='50%']").count()).toBe(1)
        assert.isFalse(await isTooWide(page))
        assert.deepStrictEqual(await faultsOf(page), [])
      })
    }
  })

  it("compares other days, averages the time of the feed, and keeps what a finger chose", async () => {
    const { id } = await withPlaces()
    const beganAt = Math.floor((Date.now() - 9.5 * STEPS.day) / STEPS.minute) * STEPS.minute
    const visiting = { viewport: { width: 390, height: 844 }, hasTouch: true, timezoneId: "Europe/Rome" }
    await visitAsOwner({ ...visiting, fragment: addressOf(id) }, async (page) => {
      await row(page, "Garden").waitFor()
      await plantHistory(page, beganAt)
      await row(page, "Garden").getByRole("button").click()
      // Of a day and the hour to come, the day before has more minutes than the server answers at once.
      for (const [range, lines, summary] of [
        ["3 hours", ["Yesterday", "A week earlier"], /^Between 0 and 10 inside, 10 on average$/],
        ["1 day", ["Yesterday", "A week earlier"], /^Between 0 and 10 inside, 10 on average$/],
        ["7 days", ["A week earlier"], /^Between 0 and 10 inside, 10 on average$/],
        ["90 days", [], /^Between 0 and 10 inside, 10 on average, since counting began on /]
      ] as const) {
        await page.getByRole("button", { name: range, exact: true }).click()
        await page.getByRole("slider", { name: summary }).waitFor()
        await until(() => page.locator(".legend li").allInnerTexts()).toEqual(lines)
        await until(() => page.locator("path.compared[d^=M]").count()).toBe(lines.length)
      }
      await page.getByRole("button", { name: "7 days", exact: true }).click()
      const chart = page.getByRole("slider", { name: /10 on average$/ })
      await chart
        .getByText(/^\d+ \w{3,4}$/)
        .first()
        .waitFor()
      // A finger that is lifted leaves its choice, and keys with a modifier are the browser's.
      const said = () => chart.getAttribute("aria-valuetext")
      await until(said).toBe("Now: 0 inside")
      await chart.tap({ position: { x: 200, y: 100 } })
      await until(said).toMatch(/^\d+ \w{3,4}, \d\d:00: 10 inside$/)
      await page.locator(".cursor").waitFor({ state: "attached" })
      const pressed = (altKey: boolean) =>
        chart.evaluate(
          (element, altKey) =>
            element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", altKey, cancelable: true })),
          altKey
        )
      assert.deepStrictEqual([await pressed(true), await pressed(false)], [true, false])
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })
})

/** The chart of a history in Chromium: read by pointer and by keyboard, beside the capacity and other days. */
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const { sojourn, owner, enter, put, want, visitAsOwner, withPlaces } = await pageForThisFile()
const visitor = sojourn.user("visitor")

describe.skipIf(missing !== undefined)("the chart of a history", () => {
  it(
    "tells a time and a value by pointer and keys, ends with the live count, and names the capacity",
    async () => {
      const { id } = await withPlaces()
      want(await put(owner, `/capacity/organization/${id}`, { capacity: 12 }), 200)
      want(await enter(visitor, { kind: "organization", id }), 201)
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 320]
      ] as const) {
        await visitAsOwner(
          { fragment: `&organization=${id}`, colorScheme, viewport: { width, height: 900 } },
          async (page) => {
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
            // The live count, as soon as somebody enters.
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
            assert.strictEqual(await grid.getByRole("row").count(), 8)
            assert.deepStrictEqual(await grid.locator("th[scope=row]").first().innerText(), "Mon")
            await until(() => grid.locator(".heat-5").count()).toBe(1)
            assert.isFalse(await isTooWide(page))
            assert.deepStrictEqual(await faultsOf(page), [])
          }
        )
      }
    },
    PATIENCE
  )
})

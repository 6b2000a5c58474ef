/** The overview in Chromium: map, list and details side by side, by keyboard, on phones, and with many places. */
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { addressOf, area, count, faultsOf, missing, pageForThisFile, PATIENCE, row, until } from "./visiting.ts"

const { sojourn, owner, enter, organization, place, put, want, visitAsOwner, withPlaces } = await pageForThisFile()
const visitor = sojourn.user("visitor")

/** An organization with so many places in a row. */
const withMany = async (many: number) => {
  const { id } = await organization()
  const width = 0.9 / many
  const ids: Array<number> = []
  for (let n = 0; n < many; n++) {
    const west = 11 + n * width
    const { id: placeId } = await place(id, area(west, 45.1, west + width * 0.8, 45.2), { name: `Room ${n + 1}` })
    ids.push(placeId)
  }
  return { id, ids }
}

describe.skipIf(missing !== undefined)("the overview", { timeout: PATIENCE }, () => {
  it("has map, list and details side by side on a desktop, and details in a drawer on a phone", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id), viewport: { width: 1280, height: 900 } }, async (page) => {
      const tops: Array<number> = []
      for (const selector of [".columns .map", ".listed", "section.selected"]) {
        await page.locator(selector).first().waitFor()
        const { y, x, width } = (await page.locator(selector).first().boundingBox())!
        tops.push(Math.round(y))
        assert.isAtMost(x + width, 1280)
      }
      assert.strictEqual(new Set(tops).size, 1)
      await row(page, "Garden").getByRole("button").click()
      const { y, height } = (await page.getByRole("heading", { name: "Garden", level: 2 }).boundingBox())!
      assert.isTrue(y >= 0 && y + height <= 900)
    })
    const phone = { width: 390, height: 844 }
    await visitAsOwner({ fragment: addressOf(id), viewport: phone, colorScheme: "dark" }, async (page) => {
      await row(page, "Garden").getByRole("button").click()
      const heading = page.getByRole("heading", { name: "Garden", level: 2 })
      await until(async () => {
        const box = await heading.boundingBox()
        return box !== null && box.y > 0 && box.y < 844
      }).toBe(true)
      assert.isFalse(await isTooWide(page))
      assert.deepStrictEqual(await faultsOf(page), [])
      await page.keyboard.press("Escape")
      await until(() => page.locator(".drawer").count()).toBe(0)
      // The focus is where it was.
      await until(() => page.evaluate("document.activeElement.textContent")).toBe("Garden")
      await row(page, "Garden").getByRole("button").click()
      await page.getByRole("button", { name: "Close Garden" }).click()
      await until(() => page.locator(".drawer").count()).toBe(0)
    })
  })

  it("lists places by fullness or as they are searched, walked by arrows, with few tab stops", async () => {
    const { id, ids } = await withMany(12)
    for (const [nth, capacity] of [
      [3, 1],
      [7, 2],
      [5, 4]
    ] as const) {
      want(await put(owner, `/capacity/place/${ids[nth]}`, { capacity }), 200)
      want(await enter(visitor, { kind: "place", id: ids[nth]! }), 201)
    }
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Room 6", 1)
      const names = () => page.locator("table.counts tbody button").allInnerTexts()
      await page.getByLabel("Sort by").selectOption("Fullness")
      assert.deepStrictEqual((await names()).slice(0, 4), ["Whole organization", "Room 4", "Room 8", "Room 6"])
      const widths = await page.evaluate<ReadonlyArray<string>>(
        "[...document.querySelectorAll('.fullness > span')].slice(1, 4).map(({ style }) => style.inlineSize)"
      )
      assert.deepStrictEqual(widths, ["100%", "50%", "25%"])
      await page.getByPlaceholder("Search").fill("room 1")
      await until(names).toEqual(["Whole organization", "Room 1", "Room 10", "Room 11", "Room 12"])
      await page.getByPlaceholder("Search").fill("")

      await page.locator("table.counts button[tabindex='0']").focus()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("End")
      await page.keyboard.press("ArrowUp")
      const focused = await page.evaluate<string>("document.activeElement.textContent")
      assert.strictEqual(focused, (await names()).at(-2))
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: focused, level: 2 }).waitFor()

      await page.evaluate("document.activeElement.blur()")
      let stops = 0
      for (; stops < 60; stops++) {
        await page.keyboard.press("Tab")
        if (await page.evaluate("document.activeElement === document.body")) break
      }
      assert.isAtMost(stops, 25)
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })

  it("renders of many places those that fit, and each of them is reached by keys", async () => {
    const { id } = await withMany(120)
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      const rows = page.locator("table.counts tbody tr[aria-rowindex]")
      await until(() => rows.count()).toBeGreaterThan(5)
      assert.isBelow(await rows.count(), 60)
      assert.strictEqual(await page.locator("table.counts").getAttribute("aria-rowcount"), "122")
      assert.isBelow(await page.evaluate<number>("document.body.scrollHeight"), 2_500)
      await page.locator("table.counts button[tabindex='0']").focus()
      await page.keyboard.press("End")
      await until(() => page.evaluate("document.activeElement.textContent")).toBe("Room 120")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Room 120", level: 2 }).waitFor()
      await page.keyboard.press("Home")
      await until(() => page.evaluate("document.activeElement.textContent")).toBe("Whole organization")
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })
})

/** The map in Chromium: zooming and moving it, its names and levels, the keyboard, and hundreds of places. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { addressOf, area, count, faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const { sojourn, owner, post, put, want, enter, organization, place, visitAsOwner, withPlaces } =
  await pageForThisFile()

const user = sojourn.user("visitor")

const shape = (page: Page, name: string) => page.locator(".map").getByRole("button", { name: new RegExp(`^${name}: `) })
/** The box of an area in the window, without its stroke. */
const boxOf = (page: Page, name: string) =>
  shape(page, name)
    .locator("path")
    .evaluate((path: any) => {
      const [box, { a, d, e, f }] = [path.getBBox(), path.getScreenCTM()]
      return { x: box.x * a + e, y: box.y * d + f, width: box.width * a, height: box.height * d }
    })
const widthOf = async (page: Page, name: string) => Math.round((await boxOf(page, name)).width)
const focused = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? ''")

/** Fingers on a touch screen. */
const fingersOf = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  return (type: "touchStart" | "touchMove" | "touchEnd", ...points: ReadonlyArray<readonly [x: number, y: number]>) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
}

/** The elements that the Tab key reaches inside of an element. */
const tabStops = (page: Page, selector: string) =>
  page
    .locator(`${selector} :is(a[href], button, input, select, [tabindex])`)
    .evaluateAll((all) => all.filter((one: any) => one.tabIndex === 0 && !one.disabled).length)

describe.skipIf(missing !== undefined)("the map", { timeout: PATIENCE }, () => {
  it("is zoomed and moved by wheel, drag, buttons and keys, and leaves the wheel to the page where it shows everything", async () => {
    const { id } = await withPlaces()
    const viewport = { width: 1280, height: 500 }
    await visitAsOwner({ fragment: addressOf(id), viewport }, async (page) => {
      await count(page, "Garden", 0)
      const before = await widthOf(page, "Gallery")
      const { x, y, width, height } = await boxOf(page, "Gallery")
      const scaled = async (page: Page) => Math.round(((await boxOf(page, "Gallery")).width / width) * 10) / 10
      const middle = [x + width / 2, y + height / 2] as const
      await page.mouse.move(...middle)
      await page.mouse.wheel(0, -200)
      await until(() => widthOf(page, "Gallery")).toBeGreaterThan(before * 1.3)
      // What is below the pointer stays there.
      const zoomed = await boxOf(page, "Gallery")
      assert.closeTo(zoomed.x + zoomed.width / 2, middle[0], 1)
      assert.closeTo(zoomed.y + zoomed.height / 2, middle[1], 1)
      assert.strictEqual(await page.evaluate("scrollY"), 0)
      // A drag moves the map, and selects nothing.
      await page.mouse.down()
      await page.mouse.move(middle[0] + 30, middle[1] + 20, { steps: 3 })
      await page.mouse.move(middle[0] + 60, middle[1] + 40, { steps: 3 })
      await page.mouse.up()
      await until(async () => Math.round((await boxOf(page, "Gallery")).x - zoomed.x)).toBe(60)
      await page.getByRole("heading", { name: "Whole organization" }).waitFor()
      await page.getByRole("button", { name: "Show everything" }).click()
      await until(() => widthOf(page, "Gallery")).toBe(before)
      await page.getByRole("button", { name: "Zoom in" }).click()
      await until(() => scaled(page)).toBe(1.5)
      await page.getByRole("button", { name: "Zoom out" }).click()
      await until(() => widthOf(page, "Gallery")).toBe(before)
      await shape(page, "Gallery").focus()
      await page.keyboard.press("+")
      await until(() => scaled(page)).toBe(1.5)
      const { x: left } = await boxOf(page, "Gallery")
      await page.keyboard.press("Shift+ArrowRight")
      await until(async () => (await boxOf(page, "Gallery")).x).toBeLessThan(left - 50)
      await page.keyboard.press("-")
      await until(() => widthOf(page, "Gallery")).toBe(before)
      await page.keyboard.press("0")
      await until(async () => Math.round((await boxOf(page, "Gallery")).x)).toBe(Math.round(x))
      // Two fingers on a trackpad.
      await page.mouse.move(...middle)
      await page.keyboard.down("Control")
      await page.mouse.wheel(0, -50)
      await page.keyboard.up("Control")
      await until(() => widthOf(page, "Gallery")).toBeGreaterThan(before * 1.3)
      await page.getByRole("button", { name: "Show everything" }).click()
      await until(() => widthOf(page, "Gallery")).toBe(before)
      await page.mouse.move(...middle)
      await page.mouse.wheel(0, 300)
      await until(() => page.evaluate<number>("scrollY")).toBeGreaterThan(0)
      assert.strictEqual(await widthOf(page, "Gallery"), before)
    })
  })

  it("is zoomed by two fingers, and moved by one once it is", async () => {
    const { id } = await withPlaces()
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    await visitAsOwner({ fragment: addressOf(id), ...phone }, async (page) => {
      await count(page, "Garden", 0)
      await page.locator(".map").scrollIntoViewIfNeeded()
      const before = await boxOf(page, "Gallery")
      const touch = await fingersOf(page)
      const [x, y] = [before.x + before.width / 2, before.y + before.height / 2]
      await touch("touchStart", [x - 20, y], [x + 20, y])
      await touch("touchMove", [x - 30, y], [x + 30, y])
      await touch("touchMove", [x - 40, y], [x + 40, y])
      await touch("touchEnd")
      await until(() => widthOf(page, "Gallery")).toBeGreaterThan(before.width * 1.7)
      assert.isBelow(await widthOf(page, "Gallery"), before.width * 2.3)
      const { x: zoomedX, y: zoomedY } = await boxOf(page, "Gallery")
      const scrolled = await page.evaluate("scrollY")
      await touch("touchStart", [x, y])
      await touch("touchMove", [x - 10, y - 10])
      await touch("touchMove", [x - 40, y - 30])
      await touch("touchEnd")
      await until(async () => Math.round((await boxOf(page, "Gallery")).x - zoomedX)).toBe(-40)
      assert.closeTo((await boxOf(page, "Gallery")).y - zoomedY, -30, 1)
      assert.strictEqual(await page.evaluate("scrollY"), scrolled)
      assert.strictEqual(await page.evaluate("visualViewport.scale"), 1)
      await page.getByRole("heading", { name: "Whole organization" }).waitFor()
    })
    // So is a drawing, to which two fingers add no corner.
    await visitAsOwner({ fragment: addressOf(id, "areas"), ...phone }, async (page) => {
      await page.getByRole("button", { name: "New place" }).click()
      const canvas = page.locator("svg.drawing")
      await canvas.scrollIntoViewIfNeeded()
      const { x, y, width, height } = (await canvas.boundingBox())!
      const size = async () => (await page.locator(".around .whole").boundingBox())!.width
      const before = await size()
      const [middleX, middleY] = [x + width / 2, y + height / 2]
      const touch = await fingersOf(page)
      await touch("touchStart", [middleX - 20, middleY], [middleX + 20, middleY])
      await touch("touchMove", [middleX - 30, middleY], [middleX + 30, middleY])
      await touch("touchMove", [middleX - 40, middleY], [middleX + 40, middleY])
      await touch("touchEnd")
      await until(size).toBeGreaterThan(before * 1.7)
      assert.strictEqual(await page.locator("g.corner").count(), 0)
      await page.mouse.move(middleX, middleY)
      await page.mouse.wheel(0, 240)
      await until(size).toBeLessThan(before * 1.7)
    })
  })

  it("has one tab stop, arrow keys that lead to the nearest area, and Enter that selects it", async () => {
    const { id } = await withPlaces()
    await place(id, area(11.1, 45.7, 11.2, 45.8), { name: "Attic" })
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Attic", 0)
      assert.strictEqual(await tabStops(page, ".map svg"), 1)
      assert.strictEqual(await tabStops(page, ".map-tools"), 1)
      await shape(page, "Whole organization").focus()
      // The garden is in the south-west, the gallery in the middle, and the attic in the north-west.
      for (const [key, name] of [
        ["End", "Attic"],
        ["ArrowRight", "Gallery"],
        ["ArrowLeft", "Attic"],
        ["ArrowDown", "Garden"],
        ["ArrowUp", "Attic"],
        ["ArrowUp", "Whole organization"],
        ["ArrowLeft", "Attic"]
      ] as const) {
        await page.keyboard.press(key)
        await until(() => focused(page)).toMatch(new RegExp(`^${name}: 0 inside`))
      }
      assert.strictEqual(await tabStops(page, ".map svg"), 1)
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Attic" }).waitFor()
      assert.strictEqual(await shape(page, "Attic").getAttribute("aria-pressed"), "true")
      // Where an area lies outside of what is shown, the map follows.
      for (let times = 0; times < 6; times++) await page.keyboard.press("+")
      await page.keyboard.press("ArrowDown")
      await until(() => focused(page)).toMatch(/^Garden: /)
      const [map, garden] = [(await page.locator(".map svg").first().boundingBox())!, await boxOf(page, "Garden")]
      assert.closeTo(garden.x + garden.width / 2, map.x + map.width / 2, map.width / 4)
      assert.closeTo(garden.y + garden.height / 2, map.y + map.height / 2, map.height / 4)
      await page.getByRole("button", { name: "Zoom in" }).focus()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("ArrowDown")
      await until(() => focused(page)).toBe("Show everything")
    })
  })

  it.each([
    ["light", { colorScheme: "light", viewport: { width: 1280, height: 900 } }],
    ["dark, on 320 pixels", { colorScheme: "dark", viewport: { width: 320, height: 600 } }],
    ["in forced colours", { forcedColors: "active", viewport: { width: 1280, height: 900 } }]
  ] as const)(
    "wraps names, shortens them or leads out, and marks what is over its capacity: %s",
    async (_, options) => {
      const { id } = await organization()
      const east = area(11.5, 45.05, 11.52, 45.3)
      const names = { Hall: "A hall whose name is long enough that it needs several lines", Niche: "Niche in the wall" }
      const hall = await place(id, area(11.05, 45.5, 11.25, 45.9), { name: names.Hall })
      await place(id, east, { name: names.Niche })
      want(await put(owner, `/capacity/place/${hall.id}`, { capacity: 1 }), 200)
      for (let times = 0; times < 2; times++) want(await enter(user, { kind: "place", id: hall.id }), 201)
      await visitAsOwner({ fragment: addressOf(id), ...options }, async (page) => {
        await page
          .getByRole("button", { name: `${names.Hall}: 2 inside, over capacity` })
          .first()
          .waitFor()
        const label = page.locator(".labels text", { hasText: "\u26a0" })
        await until(() => label.textContent()).toContain("\u26a0\ufe0e\u00a02")
        const lines = await label.locator(".name").allTextContents()
        assert.isAbove(lines.length, 1)
        assert.isTrue(
          lines.some((line) => line.endsWith("…")),
          String(lines)
        )
        const shown = (await label.boundingBox())!
        const { x, y, width, height } = (await page.locator(".area.over:not(.whole) path").boundingBox())!
        assert.isTrue(x <= shown.x && shown.x + shown.width <= x + width, "the name is inside")
        assert.isTrue(y <= shown.y && shown.y + shown.height <= y + height, "the name is inside")
        assert.match(
          await page.locator(".area.over:not(.whole) path").evaluate((path: any) => path.style.fill),
          /url\("#over"\)/
        )
        // The niche is narrower than its name: a line leads to it.
        const beside = page.locator(".labels g", { has: page.locator(".leader") })
        assert.match((await beside.textContent())!, /^Niche.*\u00a00$/)
        await shape(page, names.Niche).focus()
        await page.keyboard.press("ArrowUp")
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isFalse(await isTooWide(page))
      })
    }
  )
})

describe.skipIf(missing !== undefined)("the map of many places", { timeout: PATIENCE }, () => {
  it("draws again what changed alone, moves as one, and has a table in pages with one tab stop", async () => {
    const { id } = await organization()
    const [columns, rows] = [12, 12]
    const places = await Promise.all(
      Array.from({ length: columns * rows }, async (_, n) => {
        const [west, south] = [11.01 + (n % columns) * 0.08, 45.01 + Math.floor(n / columns) * 0.08]
        const box = area(west, south, west + 0.05, south + 0.06)
        const sent = { organizationId: id, trackingArea: box, name: `Room ${n}` }
        return want(await post(owner, "/place", sent), 201).json
      })
    )
    await visitAsOwner({ fragment: addressOf(id), viewport: { width: 1280, height: 900 } }, async (page) => {
      await shape(page, "Room 143").waitFor()
      assert.strictEqual(await page.locator(".map .area").count(), 145)
      assert.strictEqual(await tabStops(page, ".map svg"), 1)
      /** Records what changes in the map, as the areas and the attributes that did. */
      await page.evaluate(`(() => {
          globalThis.changed = []
          new MutationObserver((records) => {
            for (const { target, attributeName } of records) {
              const area = target.nodeType === 1 ? target.closest(".area") : target.parentElement?.closest(".area")
              if (area) changed.push(area.getAttribute("aria-label").split(":")[0] + " " + attributeName)
            }
          }).observe(document.querySelector(".map > svg"), { subtree: true, childList: true, attributes: true, characterData: true })
        })()`)
      const changed = () => page.evaluate<ReadonlyArray<string>>("changed")
      want(await enter(user, { kind: "place", id: places[77].id }), 201)
      await page.getByRole("button", { name: "Room 77: 1 inside" }).waitFor()
      assert.deepStrictEqual(
        [...new Set((await changed()).map((one) => one.split(" ").slice(0, 2).join(" ")))],
        ["Room 77"]
      )
      await page.evaluate("changed.length = 0")
      const before = await widthOf(page, "Room 77")
      const { x, y } = await boxOf(page, "Room 77")
      await page.mouse.move(x, y)
      for (let times = 0; times < 12; times++) await page.mouse.wheel(0, -200)
      await until(() => widthOf(page, "Room 77")).toBeGreaterThan(before * 10)
      assert.deepStrictEqual(await changed(), [])
      // Of the names those that are seen are there.
      await until(() => page.locator(".labels .name").count()).toBeGreaterThan(0)
      assert.isBelow(await page.locator(".labels text").count(), 50)
    })
    await visitAsOwner({ fragment: addressOf(id, "areas"), viewport: { width: 1280, height: 900 } }, async (page) => {
      const edits = page.getByRole("button", { name: /^Edit: Room/ })
      await until(() => edits.count()).toBe(50)
      assert.isBelow(await page.evaluate<number>("document.documentElement.scrollHeight"), 20_000)
      assert.strictEqual(await tabStops(page, "table"), 1)
      const names = await edits.evaluateAll((all) => all.map((one: any) => one.getAttribute("aria-label").slice(6)))
      await page.getByRole("button", { name: "Edit: Whole organization" }).focus()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("ArrowRight")
      await until(() => focused(page)).toBe(`Delete: ${names[0]}`)
      await page.keyboard.press("ArrowDown")
      await until(() => focused(page)).toBe(`Delete: ${names[1]}`)
      assert.strictEqual(await tabStops(page, "table"), 1)
      await page.getByRole("button", { name: "Next page" }).click()
      await page.getByText("51–100 of 144").waitFor()
      await page.getByLabel("Search").fill("Room 143")
      await page.getByRole("button", { name: "Edit: Room 143" }).waitFor()
      await until(() => page.getByRole("button", { name: /^Edit: / }).count()).toBe(2)
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })
})

/** The overview in Chromium: live counts in map, list and details, the levels of a building, and the chart of the history. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { afterAll, assert, describe, it } from "vitest"
import { tcpProxy } from "../../../server/test/faults/TcpProxy.ts"
import { addDays, dateOf, dayOf, localOf } from "../../src/browser/shared/localTime.ts"
import {
  addressOf,
  area,
  button,
  checkView,
  count,
  DESKTOP,
  fingersOf,
  missing,
  openTab,
  pageForThisFile,
  PATIENCE,
  row,
  savedBy,
  until
} from "./visiting.ts"

/** A map server: a tile of one pixel, everywhere. */
const tiles: Array<string> = []
const mapServer = createServer((request, response) => {
  tiles.push(request.url!)
  assert.isUndefined(request.headers.referer)
  response.writeHead(200, { "content-type": "image/gif", "cache-control": "no-store" })
  response.end(Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64"))
})
await new Promise<void>((resolve) => mapServer.listen(0, "127.0.0.1", resolve))
afterAll(() => mapServer.close())
const url = `http://127.0.0.1:${(mapServer.address() as AddressInfo).port}/{z}/{x}/{y}.gif`

const {
  sojourn,
  owner,
  operator,
  get,
  post,
  put,
  want,
  bind,
  enter,
  leave,
  countBy,
  organization,
  place,
  visit,
  visitAsOwner,
  withBuilding,
  withPlaces
} = await pageForThisFile({ page: { baseMap: { url, attribution: "A map of nowhere" } } })
const user = sojourn.user("visitor")
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

const isSelected = (page: Page, name: string) => page.getByRole("heading", { name, level: 2, exact: true }).waitFor()
const shape = (page: Page, name: string) => page.locator(".map").getByRole("button", { name: new RegExp(`^${name}: `) })
/** The box of an area in the window, without its stroke. */
const boxOf = (page: Page, name: string) =>
  shape(page, name)
    .locator("path")
    .first()
    .evaluate((path: any) => {
      const [box, { a, d, e, f }] = [path.getBBox(), path.getScreenCTM()]
      return { x: box.x * a + e, y: box.y * d + f, width: box.width * a, height: box.height * d }
    })
const widthOf = async (page: Page, name: string) => Math.round((await boxOf(page, name)).width)
const focusedArea = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? ''")
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent")
const listed = (page: Page) => page.locator("table.counts tbody button[aria-pressed]").allInnerTexts()

/** The elements that the Tab key reaches inside of an element. */
const tabStops = (page: Page, selector: string) =>
  page
    .locator(`${selector} :is(a[href], button, input, select, [tabindex])`)
    .evaluateAll((all) => all.filter((one: any) => one.tabIndex === 0 && !one.disabled).length)

describe.skipIf(missing !== undefined)("the overview", { timeout: PATIENCE }, () => {
  it("counts as people move, shows levels by word and colour, and resumes a lost connection without loss", async () => {
    const { id, garden, gallery } = await withPlaces()
    const where = { kind: "place", id: garden.id } as const
    want(await put(owner, `/capacity/place/${garden.id}`, { capacity: 3, warnAt: 0.5 }), 200)
    const proxy = await tcpProxy(sojourn.port)
    const visiting = { at: `http://127.0.0.1:${proxy.port}`, fragment: addressOf(id), expected: /ERR_|failed,/ }
    await visitAsOwner(visiting, async (page) => {
      await count(page, "Garden", 0)
      const path = page
        .locator("g.area", { has: page.locator("title", { hasText: "Garden" }) })
        .locator("path")
        .first()
      const fills = new Set<string>()
      let exitToken = ""
      for (const [times, inside, level] of [
        [0, 0, "normal"],
        [2, 2, "nearly full"],
        [1, 3, "full"],
        [1, 4, "over capacity"]
      ] as const) {
        for (let n = 0; n < times; n++) exitToken = want(await enter(user, where), 201).json.exitToken
        // What is normal has no word in the list.
        if (level === "normal") assert.strictEqual(await row(page, "Garden").locator(".badge").count(), 0)
        else await row(page, "Garden").getByText(level, { exact: true }).waitFor()
        await button(page, `Garden: ${inside} inside, ${level}`).waitFor()
        fills.add(await path.evaluate((one) => (globalThis as any).getComputedStyle(one).fill as string))
      }
      assert.strictEqual(fills.size, 4)
      want(await leave(user, where, exitToken), 202)
      await count(page, "Garden", 3)
      want(await enter(user, { kind: "organization", id }), 201)
      await count(page, "Whole organization", 1)
      const saved = async (what: string) =>
        (await savedBy(page, () => button(page, `Download as CSV: ${what}`).click())).slice(1).split("\r\n")
      const counts = await saved("Places")
      assert.strictEqual(counts[0], "placeId,name,inside,entered,left,capacity,level")
      assert.include(counts, `${garden.id},Garden,3,4,1,3,full`)
      assert.strictEqual((await saved("History"))[0], "from,entered,left,least,most,average,averageStay")
      // What the day had so far, beside the count.
      await until(() => page.locator(".hero .figures dd").allInnerTexts()).toEqual(["1", "–", "1"])
      await row(page, "Garden").getByRole("button").click()
      await until(() => page.locator("section.selected .figures dd").allInnerTexts()).toEqual(["4", "–", "4"])
      await page.getByText("Visits today", { exact: true }).first().waitFor()
      await button(page, "Close Garden").click()

      await proxy.refuse()
      await page.getByText("Connection lost.").waitFor()
      await page.locator("main.outdated").waitFor()
      // The header keeps its buttons whole on a phone.
      await page.setViewportSize(phone.viewport)
      const { width, height } = (await button(page, "Sign out").boundingBox())!
      assert.isBelow(height, 50)
      assert.isAbove(width, 50)
      await checkView(page)
      await page.setViewportSize(DESKTOP.viewport)
      for (let n = 0; n < 3; n++) want(await enter(user, where), 201)
      // The last numbers stay.
      await count(page, "Garden", 3)
      await proxy.listen()
      await count(page, "Garden", 6)
      await page.getByText("Live", { exact: true }).waitFor()
      assert.strictEqual(await page.locator("main.outdated").count(), 0)

      // A manager sets a capacity, and corrects what devices count.
      await row(page, "Gallery").getByRole("button").click()
      await page.locator("summary", { hasText: "Capacity" }).click()
      await page.getByLabel("Capacity of Gallery").fill("40")
      await button(page, "Save").first().click()
      await row(page, "Gallery").getByText("40", { exact: true }).waitFor()
      assert.deepInclude((await get(owner, `/capacity/place/${gallery.id}`)).json, { capacity: 40, warnAt: 0.8 })
      const premises = { placeId: gallery.id }
      const device = { name: "Gate", premises: [premises] }
      const { token } = want(await post(owner, `/device/organization/${id}`, device), 201).json
      want(await countBy(token, premises, 7), 200)
      await page.getByText("7 counted by devices, 0 with a visit of their own").waitFor()
      await page.getByText("People counted", { exact: true }).click()
      const field = page.getByLabel("People counted in Gallery")
      await field.fill("4")
      // What is typed stays while devices go on counting.
      want(await countBy(token, premises, 9), 200)
      await page.getByText("Devices count 9 people inside.").waitFor()
      assert.strictEqual(await field.inputValue(), "4")
      await field.press("Enter")
      await page.getByText("4 counted by devices, 0 with a visit of their own").waitFor()
      await count(page, "Gallery", 4)
      assert.strictEqual((await get(owner, `/presence/place/${gallery.id}/counted`)).json.counted, 4)
      await checkView(page)

      want(await put(owner, "/place", { id: garden.id, name: "Orchard" }), 200)
      await count(page, "Orchard", 6)
      want(await sojourn.call(owner, "DELETE", `/place/${garden.id}`), 205)
      await row(page, "Orchard").waitFor({ state: "detached" })
      await row(page, "Gallery").waitFor()
    })
    await proxy.close()
  })

  it("hides from viewers what they may not do, and says that a permission was withdrawn", async () => {
    const [first, second] = [await withPlaces(), await withPlaces()]
    const viewer = await bind(first.id, sojourn.administrator("some-viewer"), "viewer")
    await bind(second.id, viewer, "viewer")
    const unbind = async (organizationId: number) =>
      want(await post(owner, "/administrator/unbindadministrator", { organizationId, administratorId: viewer.id }), 204)
    const fragment = `#token=${await viewer.token}${addressOf(first.id, "areas")}`
    await visit({ fragment, expected: /403/ }, async (page) => {
      await page.getByRole("heading", { name: first.name, level: 1 }).waitFor()
      await count(page, "Garden", 0)
      for (const text of ["Areas", "People counted", "Who is inside"])
        assert.notInclude(await page.locator("body").innerText(), text)
      await unbind(first.id)
      await page.getByText(`Your permission for ${first.name} was withdrawn.`).waitFor()
      await page.getByRole("link", { name: second.name }).click()
      await page.getByRole("heading", { name: second.name, level: 1 }).waitFor()
      await unbind(second.id)
      await page.getByText("You are not an administrator of any organization.").waitFor()
      await page.getByText(`Your permission for ${second.name} was withdrawn.`).waitFor()
    })
  })

  it("has map, list and details side by side on a desktop, and details in a drawer on a phone", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ ...DESKTOP, fragment: addressOf(id) }, async (page) => {
      const tops: Array<number> = []
      for (const selector of [".columns .map", ".listed", "section.selected"]) {
        await page.locator(selector).first().waitFor()
        const { y, x, width } = (await page.locator(selector).first().boundingBox())!
        tops.push(Math.round(y))
        assert.isAtMost(x + width, 1280)
      }
      assert.strictEqual(new Set(tops).size, 1)
      // All places are on one level, and stand by themselves.
      assert.strictEqual(await page.getByLabel("Level", { exact: true }).count(), 0)
      assert.strictEqual(await page.getByText("in its parts").count(), 0)
      const { width, height } = phone.viewport
      await page.setViewportSize({ width, height })
      await row(page, "Garden").getByRole("button").click()
      const heading = page.getByRole("heading", { name: "Garden", level: 2 })
      await until(async () => {
        const box = await heading.boundingBox()
        return box !== null && box.y > 0 && box.y < height
      }).toBe(true)
      await checkView(page)
      await page.keyboard.press("Escape")
      await until(() => page.locator(".drawer").count()).toBe(0)
      // The focus is where it was.
      await until(() => focused(page)).toBe("Garden")
      await row(page, "Garden").getByRole("button").click()
      await button(page, "Close Garden").click()
      await until(() => page.locator(".drawer").count()).toBe(0)
    })
  })

  it("with many places draws those that fit and what changed alone, walked by keys with few tab stops", async () => {
    const { id } = await organization()
    const ids: Array<number> = []
    for (let n = 0; n < 120; n++) {
      const [west, south] = [11.01 + (n % 12) * 0.08, 45.01 + Math.floor(n / 12) * 0.08]
      ids.push((await place(id, area(west, south, west + 0.05, south + 0.06), { name: `Room ${n + 1}` })).id)
    }
    for (const [nth, capacity] of [
      [3, 1],
      [7, 2],
      [5, 4]
    ] as const) {
      want(await put(owner, `/capacity/place/${ids[nth]}`, { capacity }), 200)
      want(await enter(user, { kind: "place", id: ids[nth]! }), 201)
    }
    const zone = "Europe/Rome"
    await visitAsOwner({ ...DESKTOP, timezoneId: zone, fragment: addressOf(id) }, async (page) => {
      const rows = page.locator("table.counts tbody tr[aria-rowindex]")
      await until(() => rows.count()).toBeGreaterThan(5)
      assert.isBelow(await rows.count(), 60)
      assert.strictEqual(await page.locator("table.counts").getAttribute("aria-rowcount"), "122")
      assert.isBelow(await page.evaluate<number>("document.body.scrollHeight"), 2_500)
      await page.locator("table.counts button[tabindex='0']").focus()
      await page.keyboard.press("End")
      await until(() => focused(page)).toBe("Room 120")
      await page.keyboard.press("ArrowUp")
      await until(() => focused(page)).toBe("Room 119")
      await page.keyboard.press("Enter")
      await isSelected(page, "Room 119")
      await page.keyboard.press("Home")
      await until(() => focused(page)).toBe("Whole organization")

      await page.getByLabel("Sort by").selectOption("Fullness")
      const names = async () => (await listed(page)).slice(0, 4)
      await until(names).toEqual(["Whole organization", "Room 4", "Room 8", "Room 6"])
      const widths =
        "[...document.querySelectorAll('.fullness > span')].slice(1, 4).map(({ style }) => style.inlineSize)"
      assert.deepStrictEqual(await page.evaluate(widths), ["100%", "50%", "25%"])
      await page.getByPlaceholder("Search").fill("room 12")
      await until(names).toEqual(["Whole organization", "Room 12", "Room 120"])
      await page.getByPlaceholder("Search").fill("")
      await page.evaluate("document.activeElement.blur()")
      let stops = 0
      for (; stops < 60; stops++) {
        await page.keyboard.press("Tab")
        if (await page.evaluate("document.activeElement === document.body")) break
      }
      assert.isAtMost(stops, 25)

      // It flew to what was chosen.
      await button(page, "Show everything").click()
      assert.strictEqual(await page.locator(".map .area").count(), 121)
      /** Records what changes in the map, as the areas and the attributes that did. */
      await page.evaluate(`(() => {
        globalThis.changed = []
        new MutationObserver((records) => {
          for (const { target, attributeName } of records) {
            const area = target.nodeType === 1 ? target.closest(".area") : target.parentElement?.closest(".area")
            if (area) changed.push(area.getAttribute("aria-label").split(":")[0])
          }
        }).observe(document.querySelector(".map > svg"), { subtree: true, childList: true, attributes: true, characterData: true })
      })()`)
      const changed = async () => [...new Set(await page.evaluate<ReadonlyArray<string>>("changed"))]
      want(await enter(user, { kind: "place", id: ids[76]! }), 201)
      await button(page, "Room 77: 1 inside").waitFor()
      assert.deepStrictEqual(await changed(), ["Room 77"])
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

      // A day of so many places is read by the hours of each, a few at once, and by the minutes of the whole and of a selected one.
      await page.getByLabel("Sort by").selectOption("Order of the map")
      const today = () => dateOf(Date.now(), zone)
      const { asked } = await plantTriangles(page, zone, today)
      await page.getByLabel("Day", { exact: true }).fill(addDays(today(), -7))
      await page.locator(".columns.past").waitFor()
      await page.getByRole("slider", { name: "Time of day" }).press("Home")
      await count(page, "Whole organization", 0)
      await count(page, "Room 2", 29)
      const of = (step: string) =>
        new Set(asked.filter((one) => one.includes(`step=${step}`) && one.includes("/place/"))).size
      assert.deepStrictEqual([of("hour"), of("minute")], [120, 1])
      await row(page, "Room 2").getByRole("button").click()
      await count(page, "Room 2", 0)
      await count(page, "Room 3", 29)
      assert.strictEqual(of("minute"), 2)
      await button(page, "Now").click()

      await openTab(page, id, "areas")
      const edits = page.getByRole("button", { name: /^Edit: Room/ })
      await until(() => edits.count()).toBe(50)
      assert.strictEqual(await tabStops(page, "table"), 1)
      const rooms = await edits.evaluateAll((all) => all.map((one: any) => one.getAttribute("aria-label").slice(6)))
      await button(page, "Edit: Whole organization").focus()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("ArrowRight")
      await until(() => focusedArea(page)).toBe(`Delete: ${rooms[0]}`)
      await page.keyboard.press("ArrowDown")
      await until(() => focusedArea(page)).toBe(`Delete: ${rooms[1]}`)
      assert.strictEqual(await tabStops(page, "table"), 1)
      await button(page, "Next page").click()
      await page.getByText("51–100 of 120").waitFor()
      await page.getByLabel("Search").fill("Room 119")
      await button(page, "Edit: Room 119").waitFor()
      await until(() => page.getByRole("button", { name: /^Edit: / }).count()).toBe(2)
    })
  })
})

describe.skipIf(missing !== undefined)("the map", { timeout: PATIENCE }, () => {
  it("is zoomed and moved by wheel, drag, buttons and keys, over the operator's base map", async () => {
    const { id } = await withPlaces()
    await place(id, area(11.1, 45.7, 11.2, 45.8), { name: "Attic" })
    const viewport = { width: 1280, height: 500 }
    tiles.length = 0
    await visitAsOwner({ fragment: addressOf(id), viewport }, async (page) => {
      await count(page, "Attic", 0)
      await page.getByText("A map of nowhere").waitFor()
      const images = await page.locator(".base-map image").count()
      assert.isAbove(images, 1)
      await until(() => tiles.length).toBe(images)
      const isOther = (asked: string) => !/^\/\d+\/\d+\/\d+\.gif$/.test(asked)
      assert.deepStrictEqual(tiles.filter(isOther), [])

      const before = await widthOf(page, "Gallery")
      const { x, y, width, height } = await boxOf(page, "Gallery")
      const scale = async () => Math.round(((await boxOf(page, "Gallery")).width / width) * 10) / 10
      const middle = [x + width / 2, y + height / 2] as const
      await page.mouse.move(...middle)
      await page.mouse.wheel(0, -200)
      await until(scale).toBeGreaterThan(1.3)
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
      await button(page, "Show everything").click()
      await until(() => widthOf(page, "Gallery")).toBe(before)
      await button(page, "Zoom in").click()
      await until(scale).toBe(1.5)
      await button(page, "Zoom out").click()
      await until(() => widthOf(page, "Gallery")).toBe(before)
      await shape(page, "Gallery").focus()
      await page.keyboard.press("+")
      await until(scale).toBe(1.5)
      const { x: left } = await boxOf(page, "Gallery")
      await page.keyboard.press("Shift+ArrowRight")
      await until(async () => (await boxOf(page, "Gallery")).x).toBeLessThan(left - 50)
      await page.keyboard.press("-")
      await page.keyboard.press("0")
      await until(async () => Math.round((await boxOf(page, "Gallery")).x)).toBe(Math.round(x))
      // Two fingers on a trackpad.
      await page.mouse.move(...middle)
      await page.keyboard.down("Control")
      await page.mouse.wheel(0, -50)
      await page.keyboard.up("Control")
      await until(scale).toBeGreaterThan(1.3)
      await button(page, "Show everything").click()
      await until(() => widthOf(page, "Gallery")).toBe(before)
      // Where everything is shown, the wheel is the page's.
      await page.mouse.move(...middle)
      await page.mouse.wheel(0, 300)
      await until(() => page.evaluate<number>("scrollY")).toBeGreaterThan(0)
      assert.strictEqual(await widthOf(page, "Gallery"), before)

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
        await until(() => focusedArea(page)).toMatch(new RegExp(`^${name}: 0 inside`))
      }
      assert.strictEqual(await tabStops(page, ".map svg"), 1)
      await page.keyboard.press("Enter")
      await isSelected(page, "Attic")
      assert.strictEqual(await shape(page, "Attic").getAttribute("aria-pressed"), "true")
      // Where an area lies outside of what is shown, the map follows.
      for (let times = 0; times < 6; times++) await page.keyboard.press("+")
      await page.keyboard.press("ArrowDown")
      await until(() => focusedArea(page)).toMatch(/^Garden: /)
      const [map, garden] = [(await page.locator(".map svg").first().boundingBox())!, await boxOf(page, "Garden")]
      assert.closeTo(garden.x + garden.width / 2, map.x + map.width / 2, map.width / 4)
      assert.closeTo(garden.y + garden.height / 2, map.y + map.height / 2, map.height / 4)
      await page.keyboard.press("Home")
      await page.keyboard.press("Space")
      await isSelected(page, "Whole organization")
      await button(page, "Zoom in").focus()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("ArrowDown")
      await until(() => focusedArea(page)).toBe("Show everything")
      // The map flies to what is chosen in the list, and back; with less motion it is there at once.
      await page.evaluate(`{
        const { animate } = Element.prototype
        Element.prototype.animate = function (...flight) {
          window.flights++
          return animate.apply(this, flight)
        }
      }`)
      for (const reducedMotion of ["no-preference", "reduce"] as const) {
        await page.emulateMedia({ reducedMotion })
        await button(page, "Show everything").click()
        await until(() => widthOf(page, "Gallery")).toBe(before)
        await page.evaluate("window.flights = 0")
        await row(page, "Attic").getByRole("button").click()
        await until(async () => (await boxOf(page, "Attic")).height / map.height).toBeGreaterThan(0.3)
        assert.strictEqual(await page.evaluate("window.flights"), reducedMotion === "reduce" ? 0 : 1)
        await button(page, "Close Attic").click()
        await until(() => widthOf(page, "Gallery")).toBe(before)
      }
      await openTab(page, id, "areas")
      await button(page, "New place").click()
      await until(() => page.locator("svg.drawing .base-map image").count()).toBeGreaterThan(1)
    })
  })

  it("is zoomed by two fingers, and moved by one once it is, as is a drawing, to which they add no corner", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id), ...phone }, async (page) => {
      await count(page, "Garden", 0)
      await page.locator(".map").scrollIntoViewIfNeeded()
      const touch = await fingersOf(page)
      const spread = async (x: number, y: number) => {
        await touch("touchStart", [x - 20, y], [x + 20, y])
        for (const by of [30, 40]) await touch("touchMove", [x - by, y], [x + by, y])
        await touch("touchEnd")
      }
      const before = await boxOf(page, "Gallery")
      const [x, y] = [before.x + before.width / 2, before.y + before.height / 2]
      await spread(x, y)
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
      assert.deepStrictEqual(await page.evaluate("[scrollY, visualViewport.scale]"), [scrolled, 1])
      await page.getByRole("heading", { name: "Whole organization" }).waitFor()

      await openTab(page, id, "areas")
      await button(page, "New place").click()
      const canvas = page.locator("svg.drawing")
      await canvas.scrollIntoViewIfNeeded()
      const box = (await canvas.boundingBox())!
      const size = async () => (await page.locator(".around .whole").boundingBox())!.width
      const whole = await size()
      await spread(box.x + box.width / 2, box.y + box.height / 2)
      await until(size).toBeGreaterThan(whole * 1.7)
      assert.strictEqual(await page.locator("g.corner").count(), 0)
    })
  })

  it("wraps names, shortens them or leads out, and marks what is over its capacity, in every scheme of colours", async () => {
    const { id } = await organization()
    const names = { Hall: "A hall whose name is long enough that it needs several lines", Niche: "Niche in the wall" }
    const hall = await place(id, area(11.05, 45.5, 11.25, 45.9), { name: names.Hall })
    await place(id, area(11.5, 45.05, 11.52, 45.3), { name: names.Niche })
    await place(id, area(11.6, 45.6, 11.60005, 45.60005), { name: "Kiosk" })
    want(await put(owner, `/capacity/place/${hall.id}`, { capacity: 1 }), 200)
    for (let times = 0; times < 2; times++) want(await enter(user, { kind: "place", id: hall.id }), 201)
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      for (const [width, media] of [
        [1280, { colorScheme: "light" }],
        [320, { colorScheme: "dark" }],
        [1280, { forcedColors: "active" }]
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia(media)
        await button(page, `${names.Hall}: 2 inside, over capacity`).first().waitFor()
        const label = page.locator(".labels text", { hasText: "\u26a0" })
        await until(() => label.textContent()).toContain("\u26a0\ufe0e\u00a02")
        const over = page.locator(".area.over:not(.whole) path")
        await until(async () => {
          const [of, on] = [(await label.boundingBox())!, (await over.boundingBox())!]
          const isWithin = (axis: "x" | "y", size: "width" | "height") =>
            on[axis] <= of[axis] && of[axis] + of[size] <= on[axis] + on[size]
          return isWithin("x", "width") && isWithin("y", "height")
        }).toBe(true)
        const lines = await label.locator(".name").allTextContents()
        assert.isAbove(lines.length, 1)
        assert.isTrue(
          lines.some((line) => line.endsWith("…")),
          String(lines)
        )
        assert.match(await over.evaluate((path: any) => path.style.fill), /url\("#over"\)/)
        // The niche is narrower than its name: a line leads to it.
        const beside = page.locator(".labels g", { has: page.locator(".leader") })
        assert.match((await beside.filter({ hasText: "Niche" }).textContent())!, /^Niche.*\u00a00$/)
        // A kiosk of 5 m in an organization of 100 km.
        await beside.filter({ hasText: /^Kiosk\u00a00$/ }).waitFor()
        const marker = (await shape(page, "Kiosk").locator(".marker").last().boundingBox())!
        await page.mouse.click(marker.x + marker.width / 2 + 8, marker.y + marker.height / 2)
        await isSelected(page, "Kiosk")
        await checkView(page)
        // Its details cover the map of a phone.
        await button(page, "Close Kiosk").click()
      }
    })
  })

  it("shows the places of a level, and the list their tree that keys open and close, with the sums of parts", async () => {
    const { id, building, first, library } = await withBuilding()
    for (const [nth, placeId] of [building, first, first, library].entries())
      want(await enter(sojourn.user(`visitor-${nth}`), { kind: "place", id: placeId }), 201)
    /** The names of the areas on the map, without the organization. */
    const onMap = (page: Page) =>
      page
        .locator(".map .area:not(.whole) title")
        .evaluateAll((all) => all.map((one: any) => one.textContent.split(":")[0]))
    want(await put(owner, `/capacity/place/${library}`, { capacity: 1 }), 200)
    await visitAsOwner({ ...DESKTOP, fragment: addressOf(id) }, async (page) => {
      await until(() => onMap(page)).toEqual(["Building", "Ground floor"])
      // The name of the building, which would cover that of the floor that covers it, is beside it.
      await until(() => page.locator(".map .labels .name").allTextContents()).toEqual(["Ground floor", "Building"])
      // People on the floors, without those of rooms once more and of the building, and where one is full.
      const options = page.getByLabel("Level", { exact: true }).locator("option")
      await until(() => options.allTextContents()).toEqual(["Level 0: 0", "Level 1: 2 \u26a0\ufe0e"])
      await button(page, /Level 1/).click()
      await until(() => onMap(page)).toEqual(["First floor", "Library", "Office"])
      await page.getByLabel("Level", { exact: true }).selectOption("1")
      await until(() => onMap(page)).toEqual(["First floor", "Library", "Office"])
      await page.getByRole("group", { name: "Map of the areas, Level 1" }).waitFor()
      // That of the floor stands beside its rooms.
      const boxes = async (hasText: string) => (await page.locator(".map .labels text", { hasText }).boundingBox())!
      const [floor, office] = [await boxes("First"), await boxes("Office")]
      assert.isAbove(floor.y, office.y + office.height)

      await count(page, "Library", 1)
      await page.getByRole("treegrid", { name: "Places" }).waitFor()
      await row(page, "Building").getByText("3 in its parts").waitFor()
      const levels = () =>
        page.locator("table.counts tbody tr").evaluateAll((all) => all.map((one: any) => one.ariaLevel).join())
      assert.strictEqual(await levels(), "1,1,2,2,3,3")
      await page.locator("table.counts button[tabindex='0']").focus()
      for (const key of ["ArrowDown", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key)
      assert.strictEqual(await focused(page), "First floor")
      await page.keyboard.press("ArrowLeft")
      await until(() => listed(page)).toEqual(["Whole organization", "Building", "Ground floor", "First floor"])
      assert.strictEqual(await row(page, "First floor").getAttribute("aria-expanded"), "false")
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("ArrowRight")
      await until(() => focused(page)).toBe("Library")
      // From a part to what it is a part of, and up to the outermost one, which closes then.
      for (const name of ["First floor", "First floor", "Building", "Building"]) {
        await page.keyboard.press("ArrowLeft")
        await until(() => focused(page)).toBe(name)
      }
      await until(() => listed(page)).toEqual(["Whole organization", "Building"])
      await checkView(page)

      // A place that is selected on the map is listed.
      await page.getByLabel("Level", { exact: true }).selectOption("1")
      await shape(page, "Library").focus()
      await page.keyboard.press("Enter")
      await isSelected(page, "Library")
      const many = async () => (await listed(page)).length
      await until(many).toBe(6)
      await button(page, "Hide the parts of Building").click()
      await until(many).toBe(2)
      await button(page, "Show the parts of Building").click()
      await button(page, "Hide the parts of First floor").click()
      await until(many).toBe(4)
      // The map shows the level of what is selected.
      await row(page, "Ground floor").getByRole("button").click()
      await until(() => onMap(page)).toEqual(["Building", "Ground floor"])
    })
  })
})

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

/** How many are inside of the organization at the end of a minute of a planted day: at most 600, at 10:00. Of places half of them. */
const triangle = (minute: number) => (minute <= 600 ? minute : Math.max(1_200 - minute, 0))

/** Answers histories before today, but minutes of the last 90 days alone, until it is `isBroken`. What is of today the server is asked. */
const plantTriangles = async (page: Page, zone: string, today: () => string) => {
  const state = { isBroken: false, asked: new Array<string>() }
  await page.route("**/history?*", (route) => {
    state.asked.push(route.request().url())
    if (state.isBroken) return route.abort()
    const { pathname, searchParams } = new URL(route.request().url())
    const step = searchParams.get("step") as keyof typeof STEPS
    const [from, to] = ["from", "to"].map((name) => Date.parse(searchParams.get(name)!)) as [number, number]
    assert.strictEqual(searchParams.get("timeZone"), zone)
    if (from >= dayOf(today(), zone).start) return route.continue()
    if (step === "minute" && from < Date.now() - 90 * STEPS.day) return route.fulfill({ status: 204 })
    const part = pathname.includes("/place/") ? 0.5 : 1
    const json = Array.from({ length: Math.ceil((to - from) / STEPS[step]) }, (_, nth) => from + nth * STEPS[step]).map(
      (at) => {
        const [hours, minutes] = localOf(at, zone).slice(11).split(":").map(Number) as [number, number]
        const all = Array.from({ length: STEPS[step] / STEPS.minute + 1 }, (_, nth) =>
          Math.floor(part * triangle(Math.max(hours * 60 + minutes + nth - 1, 0)))
        )
        const [entered, left] = all
          .slice(1)
          .reduce(
            ([entered, left], one, nth) => [
              entered + Math.max(one - all[nth]!, 0),
              left + Math.max(all[nth]! - one, 0)
            ],
            [0, 0]
          )
        const [least, most] = [Math.min(...all), Math.max(...all)]
        return {
          from: new Date(at).toISOString(),
          entered,
          left,
          least,
          most,
          average: (least + most) / 2,
          averageStay: 1_500
        }
      }
    )
    return route.fulfill({ json })
  })
  return state
}

describe.skipIf(missing !== undefined)("the chart of a history", { timeout: PATIENCE }, () => {
  it("says a time and a value by pointer, finger and keys, ends with the live count, and compares other days", async () => {
    const { id } = await withPlaces()
    want(await put(owner, `/capacity/organization/${id}`, { capacity: 12 }), 200)
    want(await enter(user, { kind: "organization", id }), 201)
    const beganAt = Math.floor((Date.now() - 9.5 * STEPS.day) / STEPS.minute) * STEPS.minute
    const visiting = { viewport: phone.viewport, hasTouch: true, timezoneId: "Europe/Rome" }
    await visitAsOwner({ ...visiting, fragment: addressOf(id) }, async (page) => {
      const chart = page.locator(".plot")
      await chart.waitFor()
      const said = () => chart.getAttribute("aria-valuetext")
      await until(said).toBe("Now: 1 inside")
      await chart.focus()
      await page.keyboard.press("ArrowLeft")
      await until(said).toMatch(/^\d\d:\d\d: [\d.]+ inside$/)
      const readout = page.locator(".readout")
      await readout.getByText((await said())!).waitFor()
      await page.keyboard.press("End")
      // The live count, as soon as a user enters.
      want(await enter(user, { kind: "organization", id }), 201)
      await until(said).toBe("Now: 2 inside")
      await chart.getByText("Capacity").waitFor()
      await page.getByText(/on average, since counting began on /).waitFor()
      const { x, y, height } = (await chart.boundingBox())!
      // The beginning of the day, which is over at each time of it.
      await page.mouse.move(x + 40, y + height / 2)
      await until(said).toMatch(/^\d\d:\d\d: /)
      await page.mouse.move(0, 0)
      await until(said).toBe("Now: 2 inside")
      await page.getByText("Busiest hours").click()
      const grid = page.getByRole("table", { name: /People inside on average/ })
      await until(() => grid.getByRole("row").count()).toBe(25)
      assert.strictEqual(await grid.locator("th[scope=col]").first().innerText(), "Mon")
      await checkView(page)

      await plantHistory(page, beganAt)
      await row(page, "Garden").getByRole("button").click()
      for (const [range, lines, summary] of [
        ["Today", ["A week earlier"], /^Between 0 and 10 inside, 10 on average$/],
        ["90 days", [], /^Between 0 and 10 inside, 10 on average, since counting began on /],
        ["7 days", ["A week earlier"], /^Between 0 and 10 inside, 10 on average$/]
      ] as const) {
        await button(page, range).click()
        await page.getByRole("slider", { name: summary }).waitFor()
        await until(() => page.locator(".legend li").allInnerTexts()).toEqual(lines)
        await until(() => page.locator("path.compared[d^=M]").count()).toBe(lines.length)
      }
      // A finger that is lifted leaves its choice, and keys with a modifier are the browser's.
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
    })
  })

  it("is that of a day, which map, list and numbers show again at each of its minutes", async () => {
    const zone = "America/St_Johns"
    const { id, garden } = await withPlaces()
    want(await put(operator, `/operator/organization/${id}/policy`, { timeZone: zone }), 200)
    want(await put(owner, `/capacity/place/${garden.id}`, { capacity: 250 }), 200)
    want(await enter(user, { kind: "organization", id }), 201)
    const today = () => dateOf(Date.now(), zone)
    // Of a week ago: a day of 24 hours, whose minutes are kept.
    const date = addDays(today(), -7)
    // The browser is elsewhere, and its clock more than a day ahead.
    const visiting = { ...DESKTOP, timezoneId: "Asia/Tokyo", expected: /ERR_FAILED|failed,/ }
    await visitAsOwner({ ...visiting, fragment: addressOf(id) }, async (page) => {
      await page.addInitScript(`globalThis.Date = class extends Date {
        constructor(...of) { super(...(of.length === 0 ? [Date.now()] : of)) }
        static now() { return super.now() + 30 * 3_600_000 }
      }`)
      const broken = await plantTriangles(page, zone, today)
      await page.goto("about:blank")
      await page.goto(`${sojourn.baseUrl}/#token=${await owner.token}${addressOf(id)}`)
      const slider = page.getByRole("slider", { name: "Time of day" })
      const said = () => slider.getAttribute("aria-valuetext")
      const chart = page.locator(".plot")
      const day = page.getByLabel("Day", { exact: true })
      await until(said).toBe("Now: 1 inside")
      assert.strictEqual(await day.inputValue(), today())
      assert.strictEqual(await day.getAttribute("max"), today())
      await page.getByText(`Days and times are those of ${zone}.`).waitFor()
      // The chart ends now by the server's clock, in the organization's day, and what is to come is only usual.
      const now = () => localOf(Date.now(), zone).slice(11)
      await chart.focus()
      await page.keyboard.press("Home")
      await until(() => chart.getAttribute("aria-valuetext")).toMatch(new RegExp(`^${now().slice(0, 2)}:\\d\\d: `))
      await page.keyboard.press("End")
      await until(() => chart.getAttribute("aria-valuetext")).toMatch(
        /^\d\d:00: usually \d+ to \d+ inside, [\d.]+ in the middle$/
      )
      const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: zone }).format(Date.now())
      await page.getByText(`Usual on ${weekday}s: the least, the middle and the most of the last weeks`).waitFor()
      assert.match((await page.locator("path.usual.band").getAttribute("d"))!, /^M/)

      // Slider, date and buttons are one tab stop. Enter leads on from what needs the arrows itself.
      assert.strictEqual(await tabStops(page, ".replay"), 1)
      await slider.focus()
      for (const name of ["Busiest", "Play", "Now"]) {
        await page.keyboard.press(name === "Busiest" ? "Enter" : "ArrowRight")
        await until(() => focused(page)).toBe(name)
      }
      await page.keyboard.press("ArrowRight")
      await until(() => page.evaluate("document.activeElement.type")).toBe("date")
      assert.strictEqual(await tabStops(page, ".replay"), 1)

      await day.fill(date)
      const then = page.locator(".hero .then")
      const minute = async (time: string, inside: number) => {
        await then.getByText(time).waitFor()
        await until(async () => (await said())!.endsWith(`${time}: ${inside} inside`)).toBe(true)
        await count(page, "Whole organization", inside)
        await count(page, "Garden", Math.floor(inside / 2))
        await page
          .locator(".area title")
          .getByText(new RegExp(`^Gallery: ${Math.floor(inside / 2)} inside`))
          .waitFor({ state: "attached" })
        await page.locator(".readout").getByText(`${time}: ${inside} inside`).waitFor()
      }
      // The time of the other day is that of now.
      await then.getByText("not now").waitFor()
      await page.getByText("How full places were goes by today's capacities.").waitFor()
      await until(() => page.locator(".hero .figures dd").allInnerTexts()).toEqual(["600", "25 mins", "600"])
      await slider.focus()
      for (const [key, time, inside] of [
        ["Home", "00:00", 0],
        ["ArrowRight", "00:01", 1],
        ["ArrowUp", "00:02", 2],
        ["PageUp", "01:02", 62],
        ["ArrowLeft", "01:01", 61],
        ["PageDown", "00:01", 1],
        ["End", "23:59", 0]
      ] as const) {
        await page.keyboard.press(key)
        await minute(time, inside)
      }
      assert.strictEqual(await slider.getAttribute("max"), "1439")
      await button(page, "Busiest").click()
      await page.getByRole("status").getByText(`${weekday} 10:00, 600 inside`).waitFor()
      await minute("10:00", 600)
      await row(page, "Garden").getByText("over capacity").waitFor()
      await page.locator(".cursor").waitFor({ state: "attached" })
      await checkView(page)
      // A press on the chart is the same.
      const { x, y, width, height } = (await chart.boundingBox())!
      await page.mouse.click(x + width / 2, y + height / 2)
      await then.getByText(/1\d:\d\d/).waitFor()
      await page.mouse.move(0, 0)
      // With less motion a day is played hour by hour.
      await button(page, "Play").click()
      await until(() => then.innerText()).toMatch(/1\d:00 ·/)
      await button(page, "Pause").click()
      await button(page, "Play").waitFor()

      // Live numbers go on behind.
      want(await enter(user, { kind: "place", id: garden.id }), 201)
      await row(page, "Garden").getByRole("button").click()
      await button(page, "Busiest").click()
      await page.getByRole("status").getByText(`${weekday} 10:00, 300 inside`).waitFor()
      await button(page, "Now").click()
      await count(page, "Garden", 1)
      await until(said).toBe("Now: 1 inside")
      assert.strictEqual(await page.locator(".then").count(), 0)

      // Of a day whose minutes are gone the hours have their most; this one has 23 of them.
      await day.fill("2026-03-08")
      await page.getByText("Hour by hour: the most that were inside.").waitFor()
      assert.strictEqual(await slider.getAttribute("max"), "1379")
      await slider.focus()
      await page.keyboard.press("Home")
      for (let times = 0; times < 2; times++) await page.keyboard.press("PageUp")
      await then.getByText("03:00–04:00").waitFor()
      await count(page, "Whole organization", 239)
      // What cannot be read is said, and leaves the numbers those of now.
      broken.isBroken = true
      await day.fill(addDays(date, -1))
      await page.getByRole("status").getByText("The server was not reached.").waitFor()
      assert.strictEqual(await page.locator(".then").count(), 0)
      await button(page, "Now").click()
      await until(said).toBe("Now: 1 inside")
    })
  })
})

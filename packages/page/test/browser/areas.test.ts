/** The tab Areas in Chromium: drawing by mouse, touch, keyboard and numbers, on levels, over floor plans, and what is refused. */
import type { Locator, Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { IMAGES } from "../../../server/test/images.ts"
import {
  addressOf,
  answer,
  area,
  button,
  checkView,
  DESKTOP,
  fingersOf,
  missing,
  NARROW,
  openTab,
  pageForThisFile,
  PATIENCE,
  savedBy,
  until
} from "./visiting.ts"

const { call, owner, get, put, want, visitAsOwner, withBuilding, withPlaces, place } = await pageForThisFile()

/** What the browser says of an area that the server refuses. */
const REFUSED = /^400: |status of 400|ERR_FAILED/

type Corner = readonly [longitude: number, latitude: number]

/** The corners of a stored area's outer ring, without the one that closes it. */
const cornersOf = (trackingArea: string): ReadonlyArray<Corner> => JSON.parse(trackingArea).coordinates[0].slice(0, -1)
const placeOf = async (id: number, name: string) =>
  ((await get(owner, `/place/organization/${id}`)).json ?? []).find((one: any) => one.name === name)
const areaOf = async (id: number, name: string) => cornersOf((await placeOf(id, name)).trackingArea)

const corner = (page: Page, n: number) => page.locator("g.corner").nth(n - 1)
const corners = (page: Page, many: number) => until(() => page.locator("g.corner").count()).toBe(many)
const focusedCorner = (page: Page) => page.evaluate<string>("document.activeElement.getAttribute('data-at')")

/** Where the middle of an element is in the window. */
const middleOf = async (locator: Locator): Promise<Corner> => {
  await locator.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await locator.boundingBox())!
  return [x + width / 2, y + height / 2]
}
/** Where a position is in the window: the organization of these tests is from 11, 45 to 12, 46. */
const pointOf = async (page: Page, [longitude, latitude]: Corner): Promise<Corner> => {
  await page.locator("svg.drawing").scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await page.locator(".around .whole").boundingBox())!
  return [x + (longitude - 11) * width, y + (46 - latitude) * height]
}
const drag = async (page: Page, from: Corner, to: Corner) => {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
  await page.mouse.move(...to)
  await page.mouse.up()
}
const tap = async (page: Page, ...positions: ReadonlyArray<Corner>) => {
  for (const position of positions) await page.mouse.click(...(await pointOf(page, position)))
}
const drawRectangle = async (page: Page, ...positions: ReadonlyArray<Corner>) => {
  await button(page, "Rectangle").click()
  await tap(page, ...positions)
  await corners(page, 4)
}
/** Sets fields of the chosen corner. */
const type = async (page: Page, fields: Readonly<Partial<Record<"Latitude" | "Longitude", number>>>) => {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label).fill(String(value))
    await page.getByLabel(label).press("Tab")
  }
}
const save = async (page: Page, name: string) => {
  await page.getByLabel("Name of the place").fill(name)
  await button(page, "Save").click()
  await page.getByText(`${name} was saved.`).waitFor()
}
const refuses = async (page: Page, text: string | RegExp) => {
  await button(page, "Save").click()
  await page.getByRole("alert").getByText(text).first().waitFor()
}
/** The drawn corners, by their names. */
const drawnCorners = (page: Page) =>
  page
    .locator("g.corner")
    .evaluateAll((all): ReadonlyArray<Corner> =>
      all.map((one: any) => one.getAttribute("aria-label").split(": ")[1].split(", ").map(Number).reverse())
    )
const near = (actual: Corner, expected: Corner, within = 0.02) => {
  assert.closeTo(actual[0], expected[0], within)
  assert.closeTo(actual[1], expected[1], within)
}

describe.skipIf(missing !== undefined)("the page: drawing", { timeout: PATIENCE }, () => {
  it("by mouse: on one screen, snapping to borders, undone and redone, dragged, as a rectangle, and from GeoJSON", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas"), expected: REFUSED }, async (page) => {
      for (const viewport of [{ width: 390, height: 844 }, DESKTOP.viewport]) {
        await page.setViewportSize(viewport)
        await openTab(page, id)
        const map = (await page.locator(".map > svg").boundingBox())!
        await openTab(page, id, "areas")
        await button(page, "New place").click()
        const canvas = page.locator("svg.drawing")
        await canvas.waitFor()
        await page.evaluate("scrollTo(0, 0)")
        for (const one of [canvas, page.getByLabel("Name of the place"), button(page, "Save")]) {
          const { y, height } = (await one.boundingBox())!
          assert.isTrue(y >= 0 && y + height <= viewport.height, `${y} ${height}`)
        }
        const { width, height } = (await canvas.boundingBox())!
        assert.isTrue(width >= map.width && height >= map.height, `${width} ${height}`)
        await button(page, "Rectangle").click()
        // Over the gallery, which is from 11.4, 45.4 to 11.9, 45.9.
        await drag(page, await pointOf(page, [11.3, 45.3]), await pointOf(page, [11.6, 45.6]))
        await corners(page, 4)
        await refuses(page, "The area overlaps Gallery.")
        const refusal = page.getByRole("alert").getByText("The area overlaps Gallery.")
        const [on, of] = [(await refusal.boundingBox())!, (await canvas.boundingBox())!]
        assert.isTrue(on.y >= of.y && on.y + on.height <= of.y + of.height)
        await button(page, "Cancel").click()
        await answer(page, "Discard")
      }

      await button(page, "New place").click()
      await tap(page, [11.402, 45.397], [11.7, 45.395], [11.7, 45.003], [11.2, 45.2])
      await corners(page, 4)
      await button(page, "Undo").click()
      await corners(page, 3)
      await button(page, "Redo").click()
      await corners(page, 4)
      await page.keyboard.press("Control+z")
      await corners(page, 3)
      await save(page, "Hall")
      const [first, second, third] = await areaOf(id, "Hall")
      assert.deepStrictEqual([first, second![1], third![1]], [[11.4, 45.4], 45.4, 45])
      near(second!, [11.7, 45.4])
      near(third!, [11.7, 45])

      await button(page, "Edit: Gallery").click()
      const before = await areaOf(id, "Gallery")
      await corners(page, 4)
      const [east, north] = [await middleOf(corner(page, 2)), await middleOf(corner(page, 3))]
      const side = east[1] - north[1]
      const inwards: Corner = [east[0] - 0.2 * side, east[1] - 0.2 * side]
      const [west, , top] = await drawnCorners(page)
      /** Checks what a change made of the corners, as differences to what they were, and takes it back. */
      const makes = async (change: () => Promise<void>, moved: ReadonlyArray<readonly [x: 0 | 1, y: 0 | 1]>) => {
        const before = await drawnCorners(page)
        await change()
        const after = await drawnCorners(page)
        const differs = after.map((corner, nth) => corner.map((n, axis) => (n === before[nth]![axis]! ? 0 : 1)))
        assert.deepStrictEqual(
          differs,
          moved.map((axes) => [...axes])
        )
        await button(page, "Undo").click()
        assert.deepStrictEqual(await drawnCorners(page), before)
        return after
      }
      // A rectangle stays one.
      const [south, corner2, , corner4] = await makes(
        () => drag(page, east, inwards),
        [
          [0, 1],
          [1, 1],
          [1, 0],
          [0, 0]
        ]
      )
      assert.deepStrictEqual([south![1], corner4], [corner2![1], [west![0], top![1]]])
      // An edge stays parallel, and as long.
      const quarter: Corner = [east[0], east[1] - side / 4]
      await makes(
        () => drag(page, quarter, [quarter[0] - 0.2 * side, quarter[1] - 30]),
        [
          [0, 0],
          [1, 0],
          [1, 0],
          [0, 0]
        ]
      )
      const inside: Corner = [east[0] - side / 3, east[1] - side / 3]
      const all = [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1]
      ] as const
      const whole = await makes(() => drag(page, inside, [inside[0] - 40, inside[1] + 30]), all)
      near([whole[1]![0] - whole[0]![0], whole[2]![1] - whole[1]![1]], [0.5, 0.5], 1e-6)
      // By the keyboard.
      await page.locator("[data-all]").focus()
      await makes(
        () => page.keyboard.press("ArrowUp"),
        [
          [0, 1],
          [0, 1],
          [0, 1],
          [0, 1]
        ]
      )
      await corner(page, 2).click()
      await makes(
        () => page.keyboard.press("Shift+ArrowLeft"),
        [
          [0, 0],
          [1, 0],
          [1, 0],
          [0, 0]
        ]
      )
      await corner(page, 2).click()
      await page.keyboard.press("e")
      await makes(
        () => page.keyboard.press("Shift+ArrowLeft"),
        [
          [0, 0],
          [1, 0],
          [1, 0],
          [0, 0]
        ]
      )
      const lengths = (await page.locator(".lengths text").allTextContents()).map((text) => parseFloat(text))
      for (const [nth, kilometres] of [39.1, 55.6, 38.8, 55.6].entries()) assert.closeTo(lengths[nth]!, kilometres, 0.2)
      await page.keyboard.down("Alt")
      await drag(page, east, inwards)
      await page.keyboard.up("Alt")
      await drag(page, await middleOf(page.locator("g.middle").nth(2)), [north[0] - side / 2, north[1] + side / 4])
      await corners(page, 5)
      await corner(page, 5).click()
      await button(page, "Remove the corner").click()
      await corners(page, 4)
      await save(page, "Small gallery")
      const after = await areaOf(id, "Small gallery")
      assert.deepStrictEqual([after[0], after[2]], [before[0], before[2]])
      near(after[1]!, [before[1]![0] - 0.15, before[1]![1] + 0.1], 0.05)

      await button(page, "New place").click()
      await drawRectangle(page, [11.1, 45.2], [11.2, 45.3])
      await save(page, "Shop")
      const [southWest, , northEast] = await areaOf(id, "Shop")
      near(southWest!, [11.1, 45.2])
      near(northEast!, [11.2, 45.3])
      await button(page, "New place").click()
      const feature = { type: "Feature", properties: {}, geometry: JSON.parse(area(11.25, 45.1, 11.35, 45.3)) }
      const buffer = Buffer.from(JSON.stringify(feature))
      await page.getByLabel("GeoJSON file").setInputFiles({ name: "a.geojson", mimeType: "application/json", buffer })
      await page.getByText("The area was taken over.").waitFor()
      const written = JSON.parse(await savedBy(page, () => button(page, "Download as GeoJSON").click()))
      assert.deepStrictEqual(written, feature.geometry)
      await save(page, "Stairs")
      assert.deepStrictEqual(await areaOf(id, "Stairs"), feature.geometry.coordinates[0].slice(0, -1))
    })
  })

  it("of the organization: past the map's edge, with a hole and a further part, and the focus stays in a field", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await button(page, "Edit: Whole organization").click()
      await button(page, "Show everything").click()
      await button(page, "Cut out a hole").click()
      await tap(page, [11.1, 45.1], [11.3, 45.1], [11.3, 45.3])
      await button(page, "Zoom out").click()
      await button(page, "Add a part").click()
      await tap(page, [12.2, 45.1], [12.4, 45.1], [12.4, 45.3])
      await button(page, "Save").click()
      await page.getByText("Saved.").waitFor()
      const { type, coordinates } = JSON.parse((await get(owner, `/organization/${id}`)).json.trackingArea)
      assert.strictEqual(type, "MultiPolygon")
      assert.deepStrictEqual(
        coordinates.map((part: ReadonlyArray<ReadonlyArray<unknown>>) => part.map(({ length }) => length)),
        [[5, 4], [4]]
      )
    })
    const { id: other } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(other, "areas") }, async (page) => {
      await button(page, "Edit: Whole organization").click()
      const [x, y] = await middleOf(corner(page, 3))
      const { x: left } = (await page.locator("svg.drawing").boundingBox())!
      const width = x - (await middleOf(corner(page, 4)))[0]
      // Out of the map, to the left: the map stays where it is meanwhile.
      await drag(page, [x, y], [left - 8, y])
      const moved = Number(await page.getByLabel("Longitude").inputValue())
      assert.closeTo(moved, 12 - (x - (left - 8)) / width, 0.02)
      await button(page, "Add corners").click()
      const spot = await pointOf(page, [11.3, 45.3])
      await page.mouse.click(...spot)
      await page.mouse.click(...spot)
      await type(page, { Latitude: 45.2 })
      await until(() => page.getByLabel("Latitude").inputValue()).toBe("45.2")
      assert.strictEqual(await page.evaluate("document.activeElement.labels?.[0].textContent"), "Longitude")
    })
  })

  it("by touch: corners, a dragged one, and a rectangle that does not scroll the page", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas"), hasTouch: true }, async (page) => {
      await button(page, "New place").click()
      for (const [nth, position] of (
        [
          [11.1, 45.3],
          [11.3, 45.3],
          [11.3, 45.6]
        ] as const
      ).entries()) {
        await page.touchscreen.tap(...(await pointOf(page, position)))
        await corners(page, nth + 1)
      }
      const [x, y] = await middleOf(corner(page, 3))
      const touch = await fingersOf(page)
      await touch("touchStart", [x, y])
      await touch("touchMove", [x, y - 20])
      await touch("touchMove", [x, y - 60])
      await touch("touchEnd")
      await save(page, "Touched")
      assert.isAbove((await areaOf(id, "Touched"))[2]![1], 45.61)

      await button(page, "New place").click()
      await button(page, "Rectangle").click()
      const [start, end] = [await pointOf(page, [11.5, 45.35]), await pointOf(page, [11.8, 45.05])]
      await touch("touchStart", start)
      for (const share of [0.2, 0.5, 1])
        await touch("touchMove", [start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])])
      await touch("touchEnd")
      await corners(page, 4)
    })
  })

  it("by keyboard and numbers alone, with the focus on the active corner however quickly keys follow", async () => {
    const { id } = await withPlaces()
    const viewport = { width: 1280, height: 1040 }
    await visitAsOwner({ fragment: addressOf(id, "areas"), viewport }, async (page) => {
      const press = async (key: string, times = 1) => {
        for (let n = 0; n < times; n++) await page.keyboard.press(key)
      }
      const tabTo = async (name: RegExp) => {
        const label = () =>
          page.evaluate<string>(
            "(document.activeElement.getAttribute('aria-label') ?? '') || document.activeElement.labels?.[0]?.textContent || document.activeElement.textContent"
          )
        for (let n = 0; !name.test(await label()); n++) {
          assert.isBelow(n, 60, String(name))
          await press("Tab")
        }
      }
      await button(page, "New place").waitFor()
      await tabTo(/^New place$/)
      await press("Enter")
      await tabTo(/^New corner at/)
      for (const [key, times] of [
        ["Shift+ArrowLeft", 7],
        ["Enter", 1],
        ["Shift+ArrowDown", 3],
        ["Enter", 1],
        ["Shift+ArrowRight", 3],
        ["ArrowUp", 1],
        ["Enter", 1]
      ] as const)
        await press(key, times)
      await corners(page, 3)
      await press("Shift+Tab")
      await press("ArrowUp", 2)
      await press("PageUp")
      await press("Delete")
      await corners(page, 2)
      await press("Control+z")
      await corners(page, 3)
      await tabTo(/^Name of the place/)
      await page.keyboard.type("Keys")
      await press("Enter")
      await page.getByText("Keys was saved.").waitFor()
      assert.strictEqual((await areaOf(id, "Keys")).length, 3)

      await button(page, "New place").click()
      await button(page, "Rectangle").click()
      await page.locator("g.cross").focus()
      for (const key of ["Shift+ArrowLeft", "Enter", "Shift+ArrowDown", "Shift+ArrowLeft", "Enter"]) await press(key)
      await corners(page, 4)
      // The cross, which had the focus, is gone.
      await until(() => focusedCorner(page)).toBe("0 0 0")
      await button(page, "Cancel").click()
      await answer(page, "Discard")

      await button(page, "Edit: Gallery").click()
      await corner(page, 4).click()
      await until(() => focusedCorner(page)).toBe("0 0 3")
      /** Presses keys one after the other: between two of them the page is drawn, and not yet painted. */
      const quickly = (...keys: ReadonlyArray<{ readonly key: string; readonly ctrlKey?: boolean }>) =>
        page.evaluate(`(async () => {
          for (const key of ${JSON.stringify(keys)}) {
            document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true }))
            for (let turn = 0; turn < 5; turn++) await undefined
          }
        })()`)
      await quickly({ key: "ArrowUp" }, { key: "PageUp" })
      assert.strictEqual(await focusedCorner(page), "0 0 2")
      await quickly({ key: "Delete" }, { key: "z", ctrlKey: true })
      assert.strictEqual(await page.locator("g.corner").count(), 4)
      await button(page, "Cancel").click()
      await answer(page, "Discard")
    })
    const { id: other } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(other, "areas") }, async (page) => {
      await button(page, "New place").click()
      for (const [Longitude, Latitude] of [
        [11.1, 45.5],
        [11.3, 45.5],
        [11.38, 45.7]
      ] as const) {
        await button(page, "Insert a corner after it").click()
        await type(page, { Latitude, Longitude })
      }
      await button(page, "Move to the nearest border").click()
      await until(() => page.getByLabel("Longitude").inputValue()).toBe("11.4")
      await save(page, "Numbers")
      assert.deepStrictEqual(await areaOf(other, "Numbers"), [
        [11.1, 45.5],
        [11.3, 45.5],
        [11.4, 45.7]
      ])
    })
  })

  it("keeps what is typed while others change areas, and asks before anything is discarded or deleted", async () => {
    const { id, gallery } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await page.getByRole("link", { name: "Areas", exact: true }).click()
      await button(page, "Edit: Gallery").click()
      await corner(page, 1).click()
      await until(() => focusedCorner(page)).toBe("0 0 0")
      await page.getByLabel("Longitude").fill("11.45")
      // A place that others draw shows up meanwhile.
      await place(id, area(11.05, 45.4, 11.2, 45.6))
      await until(() => page.locator(".around path").count()).toBe(3)
      assert.strictEqual(await page.getByLabel("Longitude").inputValue(), "11.45")
      await page.getByLabel("Longitude").press("Tab")
      // So does the place itself, and the page says so.
      want(await put(owner, "/place", { id: gallery.id, trackingArea: area(11.4, 45.4, 11.8, 45.8) }), 200)
      await page.getByText("Others have redrawn or deleted it meanwhile.").waitFor()
      await save(page, "Gallery")
      assert.deepStrictEqual((await areaOf(id, "Gallery")).slice(0, 2), [
        [11.45, 45.4],
        [11.9, 45.4]
      ])

      await button(page, "Edit: Garden").click()
      const name = page.getByLabel("Name of the place")
      await name.fill("Park")
      for (const leave of [
        () => button(page, "Cancel").click(),
        () => page.getByRole("link", { name: "Overview" }).click(),
        () => page.goBack(),
        () => page.goBack()
      ]) {
        await leave()
        assert.strictEqual(await answer(page, "Cancel"), "Discard what was not saved?")
        assert.strictEqual(await name.inputValue(), "Park")
        await until(() => page.url()).toContain("tab=areas")
      }
      await button(page, "Cancel").click()
      await answer(page, "Discard")
      await button(page, "Delete: Garden").click()
      assert.include(await answer(page, "Delete"), "Delete Garden?")
      await page.getByText("Garden was deleted.").waitFor()
      await until(() => button(page, "Edit: Garden").count()).toBe(0)
      assert.isUndefined(await placeOf(id, "Garden"))
      await button(page, "Edit: Gallery").click()
      await name.fill("Museum")
      await page.goBack()
      await answer(page, "Discard")
      await page.getByRole("table", { name: "Places" }).waitFor()
      await until(() => page.url()).not.toContain("tab=areas")
    })
  })

  it("marks what the server refuses in the drawing and in words, and takes the mended area", async () => {
    const { id } = await withPlaces()
    await place(id, area(11.05, 45.4, 11.4, 45.9), { name: "Foyer" })
    const marked = (page: Page) => page.locator(".at-fault polyline").count()
    await visitAsOwner({ fragment: addressOf(id, "areas"), expected: REFUSED }, async (page) => {
      await button(page, "Edit: Foyer").click()
      await corner(page, 2).click()
      await type(page, { Longitude: 11.5 })
      await refuses(page, "The area overlaps Gallery. The marked edges run along")
      assert.isAbove(await marked(page), 2)
      await checkView(page)
      await button(page, "Undo").click()
      await until(() => marked(page)).toBe(0)
      await corner(page, 4).click()
      await type(page, { Longitude: 11.2, Latitude: 45.2 })
      await refuses(page, "The marked edges cross.")
      // The first corner at fault is chosen.
      await page.getByText("Corner 1 of 4").waitFor()
      await corner(page, 4).click()
      await type(page, { Latitude: 45.7 })
      await save(page, "Foyer")
      assert.deepStrictEqual((await areaOf(id, "Foyer"))[3], [11.2, 45.7])

      // Every overlap is marked while it is drawn, and what cannot be sent is kept.
      await button(page, "New place").click()
      await drawRectangle(page, [11.3, 45.75], [11.6, 45.5])
      await page.getByText(/^The area overlaps (Gallery; Foyer|Foyer; Gallery)\.$/).waitFor()
      assert.isAtLeast(await marked(page), 8)
      await page.route("**/place", (route) => route.abort())
      await button(page, "Save").click()
      await page.getByText("What you drew is kept.").waitFor()
      await corners(page, 4)
      await page.unroute("**/place")
      await button(page, "Try again").click()
      await page.getByRole("alert").getByText("The area overlaps").waitFor()
      await button(page, "Cancel").click()
      await answer(page, "Discard")

      // A file of places: what would be refused is marked, and mended before all are created.
      const features = [
        { properties: { name: "Hall" }, geometry: JSON.parse(area(11.91, 45.1, 11.98, 45.2)) },
        { properties: { name: "Tower" }, geometry: JSON.parse(area(11.85, 45.5, 11.95, 45.6)) },
        { properties: { name: "Desk", parent: "Hall" }, geometry: JSON.parse(area(11.92, 45.12, 11.94, 45.14)) }
      ].map((feature) => ({ type: "Feature", ...feature }))
      const text = JSON.stringify({ type: "FeatureCollection", features })
      const dataTransfer = await page.evaluateHandle(
        `(() => {
          const files = new DataTransfer()
          files.items.add(new File([${JSON.stringify(text)}], "places.geojson"))
          return files
        })()`
      )
      await page.locator(".map").dispatchEvent("drop", { dataTransfer })
      await page.getByText("Would be created: 2. Refused: 1.").waitFor()
      await page.getByRole("alert").getByText("The area overlaps Gallery.").waitFor()
      assert.isAbove(await marked(page), 0)
      await checkView(page)
      for (const n of [1, 4]) {
        await corner(page, n).click()
        await type(page, { Longitude: 11.9 })
      }
      await button(page, "Cancel").click()
      await answer(page, "Cancel")
      await button(page, "Check again").click()
      await page.getByText("Would be created: 3. Refused: 0.").waitFor()
      await button(page, "Show: Desk").click()
      await page.getByRole("group", { name: "Drawing of Desk", exact: true }).waitFor()
      await button(page, "Save").click()
      await page.getByText("Places that were created: 3.").waitFor()
      await button(page, "Edit: Desk").waitFor()
      assert.strictEqual((await placeOf(id, "Desk")).parentId, (await placeOf(id, "Hall")).id)
      assert.deepStrictEqual((await areaOf(id, "Tower"))[0], [11.9, 45.5])
    })
    const { id: other } = await withBuilding()
    await visitAsOwner({ fragment: addressOf(other, "areas"), expected: REFUSED }, async (page) => {
      await button(page, "Edit: First floor").click()
      await corner(page, 1).click()
      await type(page, { Longitude: 11.3 })
      await refuses(page, "Library, which is a part of it, would not be inside.")
      assert.isAbove(await marked(page), 0)
    })
    await visitAsOwner({ ...NARROW, fragment: addressOf(id, "areas"), expected: REFUSED }, async (page) => {
      await button(page, "Bearbeiten: Ganze Organisation").click()
      await corner(page, 3).click()
      await page.getByLabel("Länge").fill("11.5")
      await page.getByLabel("Länge").press("Tab")
      await button(page, "Speichern").click()
      const alert = page.getByRole("alert").filter({ hasText: "Gallery läge nicht mehr im Bereich der Organisation." })
      await alert.waitFor()
      assert.isAbove(await marked(page), 0)
      await checkView(page)
      await button(page, "Ecken hinzufügen").click()
      await checkView(page)
    })
  })
})

describe.skipIf(missing !== undefined)("the page: levels and floor plans", { timeout: PATIENCE }, () => {
  it("draws a place on the level that is shown, as a part of what is around it, and changes both", async () => {
    const { id, building, first } = await withBuilding()
    const visiting = { ...DESKTOP, colorScheme: "dark", expected: REFUSED } as const
    await visitAsOwner({ ...visiting, fragment: addressOf(id, "areas") }, async (page) => {
      const shown = page.getByLabel("Level", { exact: true })
      await shown.selectOption("1")
      await button(page, "New place").click()
      const parent = page.getByLabel("Part of")
      const level = page.getByRole("spinbutton", { name: "Level" })
      const chosen = () => parent.locator("option:checked").innerText()
      await drawRectangle(page, [11.55, 45.15], [11.85, 45.45])
      assert.deepStrictEqual([await chosen(), await level.inputValue()], ["Building › First floor", ""])
      await page.getByText("Empty: level 1").waitFor()
      await checkView(page)
      await save(page, "Room")
      assert.deepInclude(await placeOf(id, "Room"), { parentId: first })
      assert.notProperty(await placeOf(id, "Room"), "level")

      // The level that is shown is still that, and the parent and the level of the place are changed and cleared.
      await button(page, "Edit: Room").click()
      await parent.selectOption("Building")
      await level.fill("2")
      await save(page, "Room")
      assert.deepInclude(await placeOf(id, "Room"), { parentId: building, level: 2 })
      await shown.selectOption("2")
      await button(page, "Edit: Room").click()
      await level.fill("")
      await parent.selectOption("nothing: it stands by itself")
      await refuses(page, /^The area overlaps (Building|Ground floor)\./)
      await level.fill("3")
      await save(page, "Room")
      assert.deepInclude(await placeOf(id, "Room"), { level: 3 })
      assert.notProperty(await placeOf(id, "Room"), "parentId")

      // On a level that no other place is on, what spans all levels is around.
      await shown.selectOption("3")
      await button(page, "New place").click()
      await drawRectangle(page, [11.15, 45.15], [11.45, 45.85])
      assert.deepStrictEqual([await chosen(), await level.inputValue()], ["Building", "3"])
      // Outside of what it is said to be a part of.
      await parent.selectOption("Building › First floor › Office")
      await refuses(page, "The place is not inside of Office, of which it is a part.")
    })
  })

  it("puts floor plans under the areas, moves, replaces and deletes them", async () => {
    const { id } = await withPlaces()
    const listed = async () => (await get(owner, `/floorplans/organization/${id}`)).json ?? []
    const fileOf = (buffer: Buffer) => ({ name: "plan.png", mimeType: "image/png", buffer })
    const { viewport } = NARROW
    await visitAsOwner({ fragment: addressOf(id, "areas"), viewport, colorScheme: "dark" }, async (page) => {
      await button(page, "Floor plans").click()
      const file = page.getByLabel("Image")
      await file.setInputFiles(fileOf(Buffer.alloc(1_200_000)))
      await page.getByText("The image has 1.1 MiB").waitFor()
      await file.setInputFiles(fileOf(Buffer.from("nope")))
      await page.getByText("The file is not an image").waitFor()
      await file.setInputFiles(fileOf(Buffer.from(IMAGES["image/png"])))
      const field = (name: string) => page.getByRole("spinbutton", { name })
      const valueOf = async (name: string) => Number(await field(name).inputValue())
      await button(page, "Move the plan").waitFor()
      const west = await valueOf("West")
      await button(page, "Move the plan").focus()
      await page.keyboard.press("Shift+ArrowRight")
      await until(() => valueOf("West")).toBeGreaterThan(west)
      const east = await valueOf("East")
      const [x, y] = await middleOf(button(page, "Resize: north-west"))
      await drag(page, [x, y], [x + 40, y + 20])
      assert.closeTo(await valueOf("East"), east, 1e-6)
      await field("Rotation").fill("30")
      await field("Rotation").press("Tab")
      await checkView(page)
      await button(page, "Save").click()
      await page.getByText("Saved.").waitFor()
      const [kept] = await listed()
      assert.deepInclude(kept, { level: 0, rotation: 30, type: "image/png", bytes: IMAGES["image/png"].length })

      const { west: w, south, east: e, north } = kept
      const path = `/floorplan/organization/${id}?level=1&west=${w}&south=${south}&east=${e}&north=${north}`
      want(await call(owner, "PUT", path, { body: IMAGES["image/webp"], type: "image/webp" }), 200)
      await button(page, "Back to the areas").click()
      await page.locator("image.plan").waitFor()
      await page.getByLabel("Level", { exact: true }).selectOption("1")
      await page.locator("image.plan").waitFor()
      await button(page, "Floor plans").click()
      await button(page, "Edit: Level 0").click()
      await page.locator("image.plan").waitFor()
      await button(page, "Cancel").click()
      await button(page, "Delete: Level 1").click()
      await answer(page, "Delete")
      await until(async () => (await listed()).map(({ level }: { level: number }) => level)).toEqual([0])
      await openTab(page, id)
    })
  })
})

describe.skipIf(missing !== undefined)("the page: an import of places", { timeout: PATIENCE }, () => {
  it("shows what would be created and refused, and why, lets what is refused be redrawn, and creates the rest", async () => {
    const { id } = await withPlaces()
    const features = [
      ["Gate", area(11.3, 45.3, 11.5, 45.6)],
      ["Café", area(11.25, 45.1, 11.35, 45.25)],
      ["Hall", area(11.6, 45.05, 11.8, 45.25)],
      ["Twin", area(11.7, 45.1, 11.85, 45.2)]
    ].map(([name, text]) => ({ type: "Feature", properties: { name }, geometry: JSON.parse(text!) }))
    const names = async () =>
      ((await get(owner, `/place/organization/${id}`)).json as Array<{ readonly name: string }>)
        .map(({ name }) => name)
        .toSorted()
    await visitAsOwner({ fragment: addressOf(id, "areas"), ...DESKTOP }, async (page) => {
      const dropped = await page.evaluateHandle(
        (text) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([text], "places.geojson", { type: "application/geo+json" }))
          return transfer
        },
        JSON.stringify({ type: "FeatureCollection", features })
      )
      await page.locator(".map").dispatchEvent("drop", { dataTransfer: dropped })
      await page.getByText("Would be created: 2. Refused: 2.").waitFor()
      await page.getByRole("alert").getByText("The area overlaps Gallery.").waitFor()
      assert.isAbove(await page.locator(".at-fault polyline").count(), 0)
      const rows = page.getByRole("table", { name: "Import places" }).locator("tbody tr")
      assert.deepStrictEqual((await rows.locator("th, td:first-child").allInnerTexts()).slice(0, 4), [
        "Gate",
        "Twin",
        "Café",
        "Hall"
      ])
      await rows.filter({ hasText: "Café" }).getByText("will be created").waitFor()
      assert.deepStrictEqual(await names(), ["Gallery", "Garden"])
      await checkView(page)

      for (const n of [2, 3]) {
        await corner(page, n).click()
        await type(page, { Longitude: 11.39 })
      }
      await button(page, "Show: Twin").click()
      await page.getByRole("alert").getByText("The area overlaps Hall.").waitFor()
      await button(page, "Check again").click()
      await page.getByText("Would be created: 3. Refused: 1.").waitFor()
      await button(page, "Save").click()
      await page.getByText("Places that were created: 3.").waitFor()
      await page.getByText("Would be created: 0. Refused: 1.").waitFor()
      assert.deepStrictEqual(await names(), ["Café", "Gallery", "Garden", "Gate", "Hall"])
      near((await areaOf(id, "Gate"))[1]!, [11.39, 45.3], 1e-6)
      await button(page, "Cancel").click()
      assert.include(await answer(page, "Discard"), "Discard what was not saved?")
      await button(page, "Edit: Café").waitFor()
    })
  })
})

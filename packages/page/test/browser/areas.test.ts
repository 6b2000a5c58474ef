/** The tab Areas in Chromium: drawing by mouse, touch, keyboard and numbers, and refused areas. */
import type { Locator, Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import {
  addressOf,
  answer,
  area,
  button,
  faultsOf,
  missing,
  pageForThisFile,
  PATIENCE,
  savedBy,
  until
} from "./visiting.ts"

const { sojourn, owner, get, put, want, bind, visit, visitAsOwner, withPlaces, place } = await pageForThisFile()

/** What the browser says of an area that the server refuses. */
const REFUSED = /^400: |status of 400/

type Corner = readonly [longitude: number, latitude: number]

/** The corners of a stored area's outer ring, without the one that closes it. */
const cornersOf = (trackingArea: string): ReadonlyArray<Corner> => JSON.parse(trackingArea).coordinates[0].slice(0, -1)
const placeOf = async (id: number, name: string) =>
  ((await get(owner, `/place/organization/${id}`)).json ?? []).find((one: any) => one.name === name)
const areaOf = async (id: number, name: string) => cornersOf((await placeOf(id, name)).trackingArea)

const corner = (page: Page, n: number) => page.locator("g.corner").nth(n - 1)

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
const saved = async (page: Page, name: string) => {
  await button(page, "Save").click()
  await page.getByText(`${name} was saved.`).waitFor()
}
const near = (actual: Corner, expected: Corner, within = 0.02) => {
  assert.closeTo(actual[0], expected[0], within)
  assert.closeTo(actual[1], expected[1], within)
}

describe.skipIf(missing !== undefined)("the page: drawing in one screen", { timeout: PATIENCE }, () => {
  it("has the canvas, the name, Save and what is refused on one screen, at both sizes", async () => {
    const { id } = await withPlaces()
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 }
    ]) {
      await visitAsOwner({ fragment: addressOf(id, "areas"), viewport, expected: REFUSED }, async (page) => {
        await button(page, "New place").click()
        const canvas = page.locator("svg.drawing")
        await canvas.waitFor()
        await page.evaluate("scrollTo(0, 0)")
        for (const one of [canvas, page.getByLabel("Name of the place"), button(page, "Save")]) {
          const { y, height } = (await one.boundingBox())!
          assert.isTrue(y >= 0 && y + height <= viewport.height, `${y} ${height}`)
        }
        const { width, height } = (await canvas.boundingBox())!
        assert.isAtLeast(width, 0.6 * viewport.width)
        assert.isAtLeast(height, 240)
        await button(page, "Rectangle").click()
        // Over the gallery, which is from 11.4, 45.4 to 11.9, 45.9.
        await drag(page, await pointOf(page, [11.3, 45.3]), await pointOf(page, [11.6, 45.6]))
        await until(() => page.locator("g.corner").count()).toBe(4)
        await button(page, "Save").click()
        const refusal = page.getByRole("alert").getByText("The area overlaps Gallery.")
        await refusal.waitFor()
        const [on, of] = [(await refusal.boundingBox())!, (await canvas.boundingBox())!]
        assert.isTrue(on.y >= of.y && on.y + on.height <= of.y + of.height)
        assert.deepStrictEqual(await faultsOf(page), [])
      })
    }
  })

  it("draws a rectangle by two clicks or by keys, and takes over and gives out GeoJSON", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await button(page, "New place").click()
      await button(page, "Rectangle").click()
      await tap(page, [11.1, 45.1], [11.2, 45.3])
      await until(() => page.locator("g.corner").count()).toBe(4)
      await page.getByLabel("Name of the place").fill("Hall")
      await saved(page, "Hall")
      const [southWest, , northEast] = await areaOf(id, "Hall")
      near(southWest!, [11.1, 45.1])
      near(northEast!, [11.2, 45.3])

      await button(page, "New place").click()
      await button(page, "Rectangle").click()
      await page.locator("g.cross").focus()
      for (const key of ["Shift+ArrowLeft", "Enter", "Shift+ArrowDown", "Shift+ArrowLeft", "Enter"])
        await page.keyboard.press(key)
      await until(() => page.locator("g.corner").count()).toBe(4)
      // The cross, which had the focus, is gone.
      await until(() => page.evaluate("document.activeElement.getAttribute('data-at')")).toBe("0 0 0")

      const feature = { type: "Feature", properties: {}, geometry: JSON.parse(area(11.25, 45.1, 11.35, 45.3)) }
      const buffer = Buffer.from(JSON.stringify(feature))
      await page.getByLabel("GeoJSON file").setInputFiles({ name: "a.geojson", mimeType: "application/json", buffer })
      await page.getByText("The area was taken over.").waitFor()
      const written = JSON.parse(await savedBy(page, () => button(page, "Download as GeoJSON").click()))
      assert.deepStrictEqual(written, feature.geometry)
      await page.getByLabel("Name of the place").fill("Stairs")
      await saved(page, "Stairs")
      assert.deepStrictEqual(await areaOf(id, "Stairs"), feature.geometry.coordinates[0].slice(0, -1))
    })
  })

  it("asks before a step back discards a drawing, which declining keeps with its address", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await page.getByRole("link", { name: "Areas", exact: true }).click()
      await button(page, "Edit: Garden").click()
      await page.getByLabel("Name of the place").fill("Park")
      for (let n = 0; n < 2; n++) {
        await page.goBack()
        assert.strictEqual(await answer(page, "Cancel"), "Discard what was not saved?")
        assert.strictEqual(await page.getByLabel("Name of the place").inputValue(), "Park")
        await until(() => page.url()).toContain("tab=areas")
      }
      await page.goBack()
      await answer(page, "Discard")
      await page.getByRole("table", { name: "Places" }).waitFor()
      await until(() => page.url()).not.toContain("tab=areas")
      assert.isDefined(await placeOf(id, "Garden"))
    })
  })
})

describe.skipIf(missing !== undefined)("the page: drawing by pointers", { timeout: PATIENCE }, () => {
  it("draws a place that snaps to an adjacent place and to the organization's border, and says what was undone", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await button(page, "New place").click()
      // The gallery is from 11.4, 45.4 to 11.9, 45.9.
      await tap(page, [11.402, 45.397], [11.7, 45.395], [11.7, 45.003], [11.2, 45.2])
      assert.strictEqual(await page.locator("g.corner").count(), 4)
      await button(page, "Undo").click()
      await until(() => page.locator("g.corner").count()).toBe(3)
      await button(page, "Redo").click()
      await until(() => page.locator("g.corner").count()).toBe(4)
      await page.keyboard.press("Control+z")
      await until(() => page.locator("g.corner").count()).toBe(3)
      await page.getByLabel("Name of the place").fill("Hall")
      await saved(page, "Hall")
      const [first, second, third] = await areaOf(id, "Hall")
      assert.deepStrictEqual(first, [11.4, 45.4])
      assert.strictEqual(second![1], 45.4)
      near(second!, [11.7, 45.4])
      assert.strictEqual(third![1], 45)
      near(third!, [11.7, 45])
      assert.deepStrictEqual(await faultsOf(page), [])
    })
  })

  it("redraws a place: drags a corner and an edge's middle, removes a corner, and names it another way", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await button(page, "Edit: Gallery").click()
      const before = await areaOf(id, "Gallery")
      assert.strictEqual(await page.locator("g.corner").count(), 4)
      const [east, north] = [await middleOf(corner(page, 2)), await middleOf(corner(page, 3))]
      const side = east[1] - north[1]
      await drag(page, east, [east[0] - 0.2 * side, east[1] - 0.2 * side])
      await drag(page, await middleOf(page.locator("g.middle").nth(2)), [north[0] - side / 2, north[1] + side / 4])
      assert.strictEqual(await page.locator("g.corner").count(), 5)
      await corner(page, 5).click()
      await button(page, "Remove the corner").click()
      assert.strictEqual(await page.locator("g.corner").count(), 4)
      await page.getByLabel("Name of the place").fill("Small gallery")
      await saved(page, "Small gallery")
      const after = await areaOf(id, "Small gallery")
      assert.deepStrictEqual([after[0], after[2]], [before[0], before[2]])
      near(after[1]!, [before[1]![0] - 0.15, before[1]![1] + 0.1], 0.05)
      assert.strictEqual(after.length, 4)
    })
  })

  it("moves a corner as far as the pointer goes, and leaves the focus in a field where it is", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
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
      await page.getByLabel("Latitude").fill("45.2")
      await page.getByLabel("Latitude").press("Tab")
      await until(() => page.getByLabel("Latitude").inputValue()).toBe("45.2")
      assert.strictEqual(await page.evaluate("document.activeElement.labels?.[0].textContent"), "Longitude")
    })
  })

  it("draws by touch", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas"), hasTouch: true }, async (page) => {
      await button(page, "New place").click()
      for (const position of [
        [11.1, 45.3],
        [11.3, 45.3],
        [11.3, 45.6]
      ] as const) {
        await page.touchscreen.tap(...(await pointOf(page, position)))
      }
      await until(() => page.locator("g.corner").count()).toBe(3)
      // A finger drags the last corner.
      const from = await middleOf(corner(page, 3))
      const session = await page.context().newCDPSession(page)
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: ReadonlyArray<Corner>) =>
        session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) })
      await touch("touchStart", from)
      await touch("touchMove", [from[0], from[1] - 20])
      await touch("touchMove", [from[0], from[1] - 60])
      await touch("touchEnd")
      await page.getByLabel("Name of the place").fill("Touched")
      await saved(page, "Touched")
      const [, , third] = await areaOf(id, "Touched")
      assert.isAbove(third![1], 45.61)

      // A finger drags a rectangle, and does not scroll the page.
      await button(page, "New place").click()
      await button(page, "Rectangle").click()
      const [start, end] = [await pointOf(page, [11.5, 45.35]), await pointOf(page, [11.8, 45.05])]
      await touch("touchStart", start)
      for (const share of [0.2, 0.5, 1])
        await touch("touchMove", [start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])])
      await touch("touchEnd")
      await until(() => page.locator("g.corner").count()).toBe(4)
    })
  })

  it("redraws the organization's area, with a hole and a further part", async () => {
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
  })
})

describe.skipIf(missing !== undefined)("the page: drawing without a pointer", { timeout: PATIENCE }, () => {
  it("draws a place by the keyboard alone", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas"), viewport: { width: 1280, height: 1040 } }, async (page) => {
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
      await press("Shift+ArrowLeft", 7)
      await press("Enter")
      await press("Shift+ArrowDown", 3)
      await press("Enter")
      await press("Shift+ArrowRight", 3)
      await press("ArrowUp")
      await press("Enter")
      assert.strictEqual(await page.locator("g.corner").count(), 3)
      await page.keyboard.press("Shift+Tab")
      await press("ArrowUp", 2)
      await press("PageUp")
      await press("Delete")
      assert.strictEqual(await page.locator("g.corner").count(), 2)
      await press("Control+z")
      await until(() => page.locator("g.corner").count()).toBe(3)
      await tabTo(/^Name of the place/)
      await page.keyboard.type("Keys")
      await press("Enter")
      await page.getByText("Keys was saved.").waitFor()
      assert.strictEqual((await areaOf(id, "Keys")).length, 3)
    })
  })

  it("keeps the focus on the active corner, however quickly keys follow each other", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await button(page, "Edit: Gallery").click()
      await corner(page, 4).click()
      const focused = () => page.evaluate<string>("document.activeElement.getAttribute('data-at')")
      await until(focused).toBe("0 0 3")
      /** Presses keys one after the other: between two of them the page is drawn, and not yet painted. */
      const press = (...keys: ReadonlyArray<{ readonly key: string; readonly ctrlKey?: boolean }>) =>
        page.evaluate(`(async () => {
            for (const key of ${JSON.stringify(keys)}) {
              document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true }))
              for (let turn = 0; turn < 5; turn++) await undefined
            }
          })()`)
      await press({ key: "ArrowUp" }, { key: "PageUp" })
      assert.strictEqual(await focused(), "0 0 2")
      await press({ key: "Delete" }, { key: "z", ctrlKey: true })
      assert.strictEqual(await page.locator("g.corner").count(), 4)
    })
  })

  it("keeps what is typed while the areas around it change", async () => {
    const { id, gallery } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await button(page, "Edit: Gallery").click()
      await corner(page, 1).click()
      await until(() => page.evaluate("document.activeElement.getAttribute('data-at')")).toBe("0 0 0")
      await page.getByLabel("Longitude").fill("11.45")
      // A place that others draw shows up meanwhile.
      await place(id, area(11.05, 45.4, 11.2, 45.6))
      await until(() => page.locator(".around path").count()).toBe(3)
      assert.strictEqual(await page.getByLabel("Longitude").inputValue(), "11.45")
      await page.getByLabel("Longitude").press("Tab")
      // So does the place itself, and the page says so.
      const redrawn = { id: gallery.id, trackingArea: area(11.4, 45.4, 11.8, 45.8) }
      want(await put(owner, "/place", redrawn), 200)
      await page.getByText("Others have redrawn or deleted it meanwhile.").waitFor()
      await saved(page, "Gallery")
      assert.deepStrictEqual((await areaOf(id, "Gallery")).slice(0, 2), [
        [11.45, 45.4],
        [11.9, 45.4]
      ])
    })
  })

  it("draws a place by numbers, and moves a corner to the nearest border", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await button(page, "New place").click()
      for (const [longitude, latitude] of [
        [11.1, 45.5],
        [11.3, 45.5],
        [11.38, 45.7]
      ] as const) {
        await button(page, "Insert a corner after it").click()
        for (const [name, value] of [
          ["Latitude", latitude],
          ["Longitude", longitude]
        ] as const) {
          await page.getByLabel(name).fill(String(value))
          await page.getByLabel(name).press("Tab")
        }
      }
      await button(page, "Move to the nearest border").click()
      await until(() => page.getByLabel("Longitude").inputValue()).toBe("11.4")
      await page.getByLabel("Name of the place").fill("Numbers")
      await saved(page, "Numbers")
      assert.deepStrictEqual(await areaOf(id, "Numbers"), [
        [11.1, 45.5],
        [11.3, 45.5],
        [11.4, 45.7]
      ])
    })
  })
})

describe.skipIf(missing !== undefined)("the page: areas that the server refuses", { timeout: PATIENCE }, () => {
  it("shows the edges and the other place, in the drawing and in words, and takes the mended area", async () => {
    const { id } = await withPlaces()
    await place(id, area(11.05, 45.4, 11.4, 45.9), { name: "Foyer" })
    await visitAsOwner({ fragment: addressOf(id, "areas"), expected: REFUSED }, async (page) => {
      await button(page, "Edit: Foyer").click()
      await corner(page, 2).click()
      await page.getByLabel("Longitude").fill("11.5")
      await page.getByLabel("Longitude").press("Tab")
      await button(page, "Save").click()
      await page.getByRole("alert").getByText("The area overlaps Gallery. The marked edges run along").waitFor()
      assert.strictEqual(await page.locator(".at-fault polyline").count(), 2)
      assert.deepStrictEqual(await faultsOf(page), [])
      await button(page, "Undo").click()
      await until(() => page.locator(".at-fault polyline").count()).toBe(0)

      await corner(page, 3).click()
      await page.getByLabel("Latitude").fill("47")
      await page.getByLabel("Latitude").press("Tab")
      await button(page, "Save").click()
      await page.getByRole("alert").getByText("The place is not inside of the organization's area.").waitFor()
      await button(page, "Undo").click()
      await button(page, "Show everything").click()

      await corner(page, 4).click()
      await page.getByLabel("Longitude").fill("11.2")
      await page.getByLabel("Latitude").fill("45.2")
      await page.getByLabel("Latitude").press("Tab")
      await button(page, "Save").click()
      await page.getByRole("alert").getByText("The marked edges cross.", { exact: true }).waitFor()
      // The first corner at fault is chosen.
      await page.getByText("Corner 1 of 4").waitFor()
      await corner(page, 4).click()
      await page.getByLabel("Latitude").fill("45.7")
      await saved(page, "Foyer")
      assert.deepStrictEqual((await areaOf(id, "Foyer"))[3], [11.2, 45.7])
    })
  })

  it("names the place that would be outside of a smaller organization, in German", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas"), expected: REFUSED, locale: "de-AT" }, async (page) => {
      await button(page, "Bearbeiten: Ganze Organisation").click()
      await corner(page, 3).click()
      await page.getByLabel("Länge").fill("11.5")
      await page.getByLabel("Länge").press("Tab")
      await button(page, "Speichern").click()
      const alert = page.getByRole("alert").filter({ hasText: "Gallery läge nicht mehr im Bereich der Organisation." })
      await alert.waitFor()
      assert.isAbove(await page.locator(".at-fault polyline").count(), 0)
    })
  })
})

describe.skipIf(missing !== undefined)("the page: places", { timeout: PATIENCE }, () => {
  it("deletes a place, and asks before a drawing is discarded", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await button(page, "Edit: Garden").click()
      await page.getByLabel("Name of the place").fill("Park")
      await button(page, "Cancel").click()
      assert.strictEqual(await answer(page, "Cancel"), "Discard what was not saved?")
      await page.getByRole("link", { name: "Overview" }).click()
      assert.strictEqual(await answer(page, "Cancel"), "Discard what was not saved?")
      assert.strictEqual(await page.getByLabel("Name of the place").inputValue(), "Park")
      await button(page, "Cancel").click()
      await answer(page, "Discard")
      await button(page, "Delete: Garden").click()
      assert.include(await answer(page, "Delete"), "Delete Garden?")
      await page.getByText("Garden was deleted.").waitFor()
      await until(() => button(page, "Edit: Garden").count()).toBe(0)
      assert.isUndefined(await placeOf(id, "Garden"))
    })
  })

  it("are for managers: viewers have no such tab", async () => {
    const { id, name } = await withPlaces()
    const manager = await bind(id, sojourn.administrator("manager-of-areas"), "manager")
    const viewer = await bind(id, sojourn.administrator("viewer-of-areas"), "viewer")
    await visit({ fragment: `#token=${await manager.token}${addressOf(id, "areas")}` }, async (page) => {
      await button(page, "Edit: Garden").waitFor()
      assert.deepStrictEqual(await page.locator("nav.tabs a").allInnerTexts(), ["Overview", "Areas", "Devices"])
    })
    await visit({ fragment: `#token=${await viewer.token}${addressOf(id, "areas")}` }, async (page) => {
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      await page.getByRole("table", { name: "Places" }).waitFor()
      assert.notInclude(await page.locator("body").innerText(), "Areas")
    })
  })

  it.each(["light", "dark"] as const)(
    "are drawn without a fault that axe-core finds, at 320 pixels in German, in %s",
    async (colorScheme) => {
      const { id } = await withPlaces()
      const narrow = { viewport: { width: 320, height: 600 }, locale: "de-AT", colorScheme }
      await visitAsOwner({ fragment: addressOf(id, "areas"), ...narrow }, async (page) => {
        await button(page, "Bearbeiten: Gallery").waitFor()
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isFalse(await isTooWide(page))
        await button(page, "Bearbeiten: Gallery").click()
        await corner(page, 1).click()
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isFalse(await isTooWide(page))
        await button(page, "Ecken hinzufügen").click()
        assert.deepStrictEqual(await faultsOf(page), [])
      })
    }
  )
})

/** Floors in Chromium: the switch of levels on the map, and the list of places as a tree. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { addressOf, button, count, faultsOf, missing, pageForThisFile, PATIENCE, row, until } from "./visiting.ts"

const { sojourn, owner, enter, get, want, visitAsOwner, withBuilding, withPlaces } = await pageForThisFile()

/** The names of the areas on the map, without the organization. */
const onMap = (page: Page) =>
  page
    .locator(".map .area:not(.whole) title")
    .evaluateAll((all) => all.map((one: any) => one.textContent.split(":")[0]))
const listed = (page: Page) => page.locator("table.counts tbody button[aria-pressed]").allInnerTexts()
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent")

describe.skipIf(missing !== undefined)("the page: floors", { timeout: PATIENCE }, () => {
  it.each([
    ["light", { width: 1280, height: 900 }],
    ["dark", { width: 390, height: 844 }]
  ] as const)(
    "shows on the map the places of a level, and that of the place that is selected: %s",
    async (colorScheme, viewport) => {
      const { id } = await withBuilding()
      await visitAsOwner({ fragment: addressOf(id), viewport, colorScheme }, async (page) => {
        await until(() => onMap(page)).toEqual(["Building", "Ground floor"])
        // The name of the building would cover that of the floor that covers it.
        assert.deepStrictEqual(await page.locator(".map .labels .name").allTextContents(), ["Ground floor"])
        await page.getByLabel("Level", { exact: true }).selectOption("Level 1")
        await until(() => onMap(page)).toEqual(["First floor", "Library", "Office"])
        await page.getByRole("group", { name: "Map of the areas, Level 1" }).waitFor()
        // That of the floor stands beside its rooms.
        const boxes = async (name: string) =>
          (await page.locator(".map .labels text", { hasText: name }).boundingBox())!
        const [floor, office] = [await boxes("First"), await boxes("Office")]
        assert.isAbove(floor.y, office.y + office.height)
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isFalse(await isTooWide(page))
        await row(page, "Ground floor").getByRole("button").click()
        await until(() => onMap(page)).toEqual(["Building", "Ground floor"])
      })
    }
  )

  it("has no switch where all places are on one level", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Garden", 0)
      assert.strictEqual(await page.getByLabel("Level", { exact: true }).count(), 0)
      assert.strictEqual(await page.getByRole("table", { name: "Places" }).count(), 1)
      assert.strictEqual(await page.getByText("in its parts").count(), 0)
    })
  })

  it("lists places as a tree that keys open and close, with the sums of parts marked as such", async () => {
    const { id, building, first, library } = await withBuilding()
    for (const [nth, placeId] of [building, first, first, library].entries())
      want(await enter(sojourn.user(`visitor-${nth}`), { kind: "place", id: placeId }), 201)
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Library", 1)
      await page.getByRole("treegrid", { name: "Places" }).waitFor()
      await row(page, "Building").getByText("3 in its parts").waitFor()
      await row(page, "First floor").getByText("1 in its parts").waitFor()
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
      for (const place of ["First floor", "First floor", "Building", "Building"]) {
        await page.keyboard.press("ArrowLeft")
        await until(() => focused(page)).toBe(place)
      }
      await until(() => listed(page)).toEqual(["Whole organization", "Building"])
      assert.deepStrictEqual(await faultsOf(page), [])

      // A place that is selected on the map is listed, and so is what is searched.
      await page.getByLabel("Level", { exact: true }).selectOption("Level 1")
      await page
        .locator(".map")
        .getByRole("button", { name: /^Library: / })
        .focus()
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Library", level: 2 }).waitFor()
      await until(() => listed(page).then(({ length }) => length)).toBe(6)
      await button(page, "Hide the parts of Building").click()
      await until(() => listed(page).then(({ length }) => length)).toBe(2)
      await button(page, "Show the parts of Building").click()
      await button(page, "Hide the parts of First floor").click()
      await until(() => listed(page).then(({ length }) => length)).toBe(4)
    })
  })
})

/** Sets the opposite corners of a rectangle: the organization is from 11, 45 to 12, 46. */
const drawRectangle = async (page: Page, ...corners: ReadonlyArray<readonly [longitude: number, latitude: number]>) => {
  await button(page, "Rectangle").click()
  await page.locator("svg.drawing").scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await page.locator(".around .whole").boundingBox())!
  for (const [longitude, latitude] of corners)
    await page.mouse.click(x + (longitude - 11) * width, y + (46 - latitude) * height)
  await page.locator("g.corner").nth(3).waitFor()
}

describe.skipIf(missing !== undefined)("the page: drawing on a level", { timeout: PATIENCE }, () => {
  it.each([
    ["light", { width: 1280, height: 900 }],
    ["dark", { width: 390, height: 844 }]
  ] as const)(
    "draws a place on the level that is shown, as a part of what is around it, and changes both: %s",
    async (colorScheme, viewport) => {
      const { id, building, first } = await withBuilding()
      const placeOf = async (name: string) =>
        (await get(owner, `/place/organization/${id}`)).json.find((place: any) => place.name === name)
      const save = async (page: Page, name: string) => {
        await page.getByLabel("Name of the place").fill(name)
        await button(page, "Save").click()
        await page.getByText(`${name} was saved.`).waitFor()
      }
      const visiting = { viewport, colorScheme, expected: /^400|status of 400/ }
      await visitAsOwner({ fragment: addressOf(id, "areas"), ...visiting }, async (page) => {
        await page.getByLabel("Level", { exact: true }).selectOption("Level 1")
        await until(() => onMap(page)).toEqual(["First floor", "Library", "Office"])
        await button(page, "New place").click()
        const parent = page.getByLabel("Part of")
        const level = page.getByRole("spinbutton", { name: "Level" })
        const chosen = () => parent.locator("option:checked").innerText()
        await drawRectangle(page, [11.55, 45.15], [11.85, 45.45])
        assert.strictEqual(await chosen(), "Building › First floor")
        assert.strictEqual(await level.inputValue(), "")
        await page.getByText("Empty: level 1").waitFor()
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isFalse(await isTooWide(page))
        await save(page, "Room")
        assert.deepInclude(await placeOf("Room"), { parentId: first })
        assert.notProperty(await placeOf("Room"), "level")

        // The level that is shown is still that, and the parent and the level of the place are changed and cleared.
        await until(() => onMap(page)).toContain("Room")
        await button(page, "Edit: Room").click()
        await parent.selectOption("Building")
        await level.fill("2")
        await save(page, "Room")
        assert.deepInclude(await placeOf("Room"), { parentId: building, level: 2 })
        await page.getByLabel("Level", { exact: true }).selectOption("Level 2")
        await button(page, "Edit: Room").click()
        await level.fill("")
        await parent.selectOption("nothing: it stands by itself")
        await button(page, "Save").click()
        await page
          .getByRole("alert")
          .getByText(/^The area overlaps (Building|Ground floor)\./)
          .waitFor()
        await level.fill("3")
        await save(page, "Room")
        assert.deepInclude(await placeOf("Room"), { level: 3 })
        assert.notProperty(await placeOf("Room"), "parentId")

        // On a level that no other place is on, what spans all levels is around.
        await page.getByLabel("Level", { exact: true }).selectOption("Level 3")
        await button(page, "New place").click()
        await drawRectangle(page, [11.15, 45.15], [11.45, 45.85])
        assert.strictEqual(await chosen(), "Building")
        assert.strictEqual(await level.inputValue(), "3")
        // Outside of what it is said to be a part of.
        await parent.selectOption("Building › First floor › Office")
        await button(page, "Save").click()
        await page.getByRole("alert").getByText("The place is not inside of Office, of which it is a part.").waitFor()
      })
    }
  )

  it("says which part a redrawn place would leave out", async () => {
    const { id } = await withBuilding()
    const visiting = { fragment: addressOf(id, "areas"), expected: /^400|status of 400/ }
    await visitAsOwner(visiting, async (page) => {
      await button(page, "Edit: First floor").click()
      await page.locator("g.corner").first().click()
      await page.getByLabel("Longitude").fill("11.3")
      await page.getByLabel("Longitude").press("Tab")
      await button(page, "Save").click()
      await page.getByRole("alert").getByText("Library, which is a part of it, would not be inside.").waitFor()
      assert.isAbove(await page.locator(".at-fault polyline").count(), 0)
    })
  })
})

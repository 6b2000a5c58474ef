/** Floor plans in Chromium: put under the areas by a manager, moved by pointer, keys and numbers, and seen by every level. */
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { IMAGES } from "../../../server/test/images.ts"
import { addressOf, answer, faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const { owner, call, get, want, visitAsOwner, withPlaces } = await pageForThisFile()
const fileOf = (buffer: Buffer) => ({ name: "plan.png", mimeType: "image/png", buffer })

describe.skipIf(missing !== undefined)("the page: floor plans", { timeout: PATIENCE }, () => {
  it.each([
    ["light", { width: 1280, height: 900 }],
    ["dark", { width: 320, height: 700 }]
  ] as const)("are put under the areas, moved, replaced and deleted: %s", async (colorScheme, viewport) => {
    const { id } = await withPlaces()
    const listed = async () => (await get(owner, `/floorplans/organization/${id}`)).json ?? []
    await visitAsOwner({ fragment: addressOf(id, "areas"), viewport, colorScheme }, async (page) => {
      await page.getByRole("button", { name: "Floor plans" }).click()
      const file = page.getByLabel("Image")
      await file.setInputFiles(fileOf(Buffer.alloc(1_200_000)))
      await page.getByText("The image has 1.1 MiB").waitFor()
      await file.setInputFiles(fileOf(Buffer.from("nope")))
      await page.getByText("The file is not an image").waitFor()
      await file.setInputFiles(fileOf(Buffer.from(IMAGES["image/png"])))
      const field = (name: string) => page.getByRole("spinbutton", { name })
      const west = async () => Number(await field("West").inputValue())
      await page.getByRole("button", { name: "Move the plan" }).waitFor()
      const first = await west()
      await page.getByRole("button", { name: "Move the plan" }).focus()
      await page.keyboard.press("Shift+ArrowRight")
      await until(west).toBeGreaterThan(first)
      const east = Number(await field("East").inputValue())
      const { x, y } = (await page.getByRole("button", { name: "Resize: north-west" }).boundingBox())!
      await page.mouse.move(x + 8, y + 8)
      await page.mouse.down()
      await page.mouse.move(x + 48, y + 28, { steps: 4 })
      await page.mouse.up()
      assert.closeTo(Number(await field("East").inputValue()), east, 1e-6)
      await field("Rotation").fill("30")
      await field("Rotation").press("Tab")
      assert.deepStrictEqual(await faultsOf(page), [])
      assert.isFalse(await isTooWide(page))
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Saved.").waitFor()
      const [kept] = await listed()
      assert.deepInclude(kept, { level: 0, rotation: 30, type: "image/png", bytes: IMAGES["image/png"].length })

      const { west: w, south, east: e, north } = kept
      const path = `/floorplan/organization/${id}?level=1&west=${w}&south=${south}&east=${e}&north=${north}`
      want(await call(owner, "PUT", path, { body: IMAGES["image/webp"], type: "image/webp" }), 200)
      await page.getByRole("button", { name: "Back to the areas" }).click()
      await page.locator("image.plan").waitFor()
      await page.getByLabel("Level", { exact: true }).selectOption({ label: "Level 1" })
      await page.locator("image.plan").waitFor()
      await page.getByRole("button", { name: "Floor plans" }).click()
      await page.getByRole("button", { name: "Edit: Level 0" }).click()
      await page.locator("image.plan").waitFor()
      await page.getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("button", { name: "Delete: Level 1" }).click()
      await answer(page, "Delete")
      await until(async () => (await listed()).map(({ level }: { level: number }) => level)).toEqual([0])
    })
  })
})

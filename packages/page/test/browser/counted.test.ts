/** The people whom devices count in Chromium: beside those inside, and corrected by managers. */
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { addressOf, count, faultsOf, missing, pageForThisFile, PATIENCE, row, until } from "./visiting.ts"

const { sojourn, owner, enter, get, post, want, bind, countBy, visit, visitAsOwner, withPlaces } =
  await pageForThisFile()

describe.skipIf(missing !== undefined)("the page: people counted", { timeout: PATIENCE }, () => {
  it.each([
    ["light", { width: 1280, height: 900 }],
    ["dark", { width: 390, height: 844 }]
  ] as const)("stand beside those inside where there are any, and are corrected: %s", async (colorScheme, viewport) => {
    const { id, garden } = await withPlaces()
    const draft = { name: "Gate", premises: [{ placeId: garden.id }] }
    const { token } = want(await post(owner, `/device/organization/${id}`, draft), 201).json
    want(await enter(sojourn.user("visitor"), { kind: "place", id: garden.id }), 201)
    const counted = async (path: string) => want(await get(owner, `/presence/${path}/counted`), 200).json.counted
    await visitAsOwner({ fragment: addressOf(id), viewport, colorScheme }, async (page) => {
      await row(page, "Garden").getByRole("button").click()
      await page.getByRole("heading", { name: "Garden", level: 2 }).waitFor()
      want(await countBy(token, { placeId: garden.id }, 7), 200)
      await page.getByText("7 counted by devices, 1 with stays").waitFor()
      await page.getByText("People counted", { exact: true }).click()
      await page.getByText("Devices count 7 people inside.").waitFor()
      const field = page.getByLabel("People counted in Garden")
      await field.fill("4")
      // What is typed stays while devices go on counting.
      want(await countBy(token, { placeId: garden.id }, 9), 200)
      await page.getByText("Devices count 9 people inside.").waitFor()
      assert.strictEqual(await field.inputValue(), "4")
      await field.press("Enter")
      await page.getByText("4 counted by devices, 1 with stays").waitFor()
      assert.strictEqual(await counted(`place/${garden.id}`), 4)
      await count(page, "Garden", 5)
      assert.deepStrictEqual(await faultsOf(page), [])
      assert.isFalse(await isTooWide(page))
      await page.keyboard.press("Escape")
    })
  })

  it("of the organization are corrected apart, and by managers alone", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await page.getByText("People counted", { exact: true }).click()
      await page.getByLabel("People counted in Whole organization").fill("12")
      await page.getByLabel("People counted in Whole organization").press("Enter")
      await page.getByText("12 counted by devices, 0 with stays").waitFor()
      await count(page, "Whole organization", 12)
    })
    const viewer = await bind(id, sojourn.administrator("viewer"), "viewer")
    await visit({ fragment: `#token=${await viewer.token}&organization=${id}` }, async (page) => {
      await page.getByText("12 counted by devices, 0 with stays").waitFor()
      await until(() => page.getByText("People counted", { exact: true }).count()).toBe(0)
    })
  })
})

/** The tab Devices in Chromium: managers make, renew and remove devices, and every level sees which are silent. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { addressOf, answer, button, faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const { sojourn, owner, operator, get, put, want, bind, countBy, visit, visitAsOwner, withBuilding } =
  await pageForThisFile()

const card = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) })

describe.skipIf(missing !== undefined)("the page: devices", { timeout: PATIENCE }, () => {
  it("are made for premises that are chosen by keys, show their token once, and are renewed and removed", async () => {
    const { id, first } = await withBuilding()
    const listed = async () => want(await get(owner, `/device/organization/${id}`), 200).json
    await visitAsOwner({ fragment: addressOf(id, "devices") }, async (page) => {
      await page.getByLabel("Name", { exact: true }).fill("Main door")
      assert.isTrue(await button(page, "Create").isDisabled())
      // The premises are one tab stop; arrow keys lead from one to the next.
      await page.keyboard.press("Tab")
      for (const key of ["Space", "ArrowDown", "ArrowDown", "ArrowDown", "Space"]) await page.keyboard.press(key)
      await page.getByText("(2 of 20)").waitFor()
      await button(page, "Create").click()
      const token = page.getByRole("group", { name: "Token of Main door" })
      await token.getByText("it is not shown again").waitFor()
      assert.isTrue(await token.evaluate<boolean, any>((one) => one === one.ownerDocument.activeElement))
      await button(page, "Copy").waitFor()
      const former = await token.locator("code").innerText()
      const [device] = await listed()
      assert.deepStrictEqual(device.premises, [{ organization: true }, { placeId: first }])
      await until(() => card(page, "Main door").locator("dd").allInnerTexts()).toEqual([
        "Whole organization",
        "Building › First floor",
        "–",
        "0"
      ])
      await card(page, "Main door").getByText("sent nothing yet").waitFor()
      assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "")

      want(await countBy(former, { placeId: first }, 3, 5), 200)
      await card(page, "Main door").getByText("sending").waitFor()
      await until(() => card(page, "Main door").locator("dd").last().innerText()).toBe("2")

      await button(page, "New token: Main door").click()
      assert.include(await answer(page, "New token"), "60 seconds")
      await until(() => token.locator("code").innerText()).not.toBe(former)
      want(await countBy(await token.locator("code").innerText(), { placeId: first }, 4, 5), 200)
      assert.deepStrictEqual(await faultsOf(page), [])

      await button(page, "Remove: Main door").click()
      assert.include(await answer(page, "Remove"), "stays counted")
      await page.getByText("There are no devices.").waitFor()
      assert.strictEqual(await token.count(), 0)
      want(await get(owner, `/device/organization/${id}`), 204)
    })
  })

  it.each([
    ["light", { width: 1280, height: 900 }],
    ["dark", { width: 320, height: 700 }]
  ] as const)(
    "that are silent stand first and are marked by a word, and viewers change nothing: %s",
    async (colorScheme, viewport) => {
      const { id, first } = await withBuilding()
      want(await put(operator, `/operator/organization/${id}/policy`, { deviceSilentAfter: 1 }), 200)
      const make = async (name: string) =>
        want(
          await sojourn.call(owner, "POST", `/device/organization/${id}`, {
            json: { name, premises: [{ placeId: first }] }
          }),
          201
        ).json
      await make("Back door")
      want(await countBy((await make("Main door")).token, { placeId: first }, 1), 200)
      const viewer = await bind(id, sojourn.administrator(`viewer-${colorScheme}`), "viewer")
      const fragment = `#token=${await viewer.token}${addressOf(id, "devices")}`
      await visit({ fragment, viewport, colorScheme }, async (page) => {
        await card(page, "Main door").getByText("silent", { exact: true }).waitFor()
        await page.getByText("1 of 2 devices are silent").waitFor()
        assert.deepStrictEqual(await page.locator(".cards h3").allInnerTexts(), ["Main door", "Back door"])
        assert.strictEqual(await page.getByRole("button", { name: /^(New token|Remove|Create)/ }).count(), 0)
        assert.strictEqual(await page.getByText("New device").count(), 0)
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isFalse(await isTooWide(page))
      })
    }
  )
})

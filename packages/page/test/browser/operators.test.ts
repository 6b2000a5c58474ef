/** The operators of the service in Chromium: deletion requests, new organizations and policies. */
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { addressOf, answer, area, faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const { sojourn, operator, owner, get, want, visit, visitAsOwner, withPlaces } = await pageForThisFile()
const asOperator = `#token=${await operator.token}`

describe.skipIf(missing !== undefined)("the page: operators", { timeout: PATIENCE }, () => {
  it("decide deletion requests, which owners see as pending", async () => {
    const [kept, ended] = [await withPlaces(), await withPlaces()]
    for (const [{ id, name }, reason] of [
      [kept, "A mistake"],
      [ended, "It closed"]
    ] as const) {
      await visitAsOwner({ fragment: addressOf(id, "details") }, async (page) => {
        await page.getByLabel("Reason").fill(reason)
        await page.getByRole("button", { name: "Request the deletion" }).click()
        assert.include(await answer(page, "Request the deletion"), name)
        await page.getByText("Deletion requested", { exact: true }).waitFor()
      })
      await visitAsOwner({ fragment: addressOf(id, "details") }, async (page) => {
        await page.getByText("Deletion requested", { exact: true }).waitFor()
        await page.getByText(`Reason: ${reason}`).waitFor()
      })
    }
    await visit({ fragment: asOperator, expected: /403/ }, async (page) => {
      await page.getByRole("heading", { name: "Operators of the service", level: 1 }).waitFor()
      const request = (name: string) => page.getByRole("listitem", { name })
      await request(ended.name).getByText("Reason: It closed").waitFor()
      assert.deepStrictEqual(await faultsOf(page), [])
      await request(kept.name).getByRole("button", { name: "Reject" }).click()
      await page.getByText(`The request for ${kept.name} was rejected.`).waitFor()
      await request(ended.name).getByRole("button", { name: "Approve" }).click()
      assert.include(await answer(page, "Cancel"), ended.name)
      want(await get(owner, `/organization/${ended.id}`), 200)
      await request(ended.name).getByRole("button", { name: "Approve" }).click()
      await answer(page, "Approve")
      await page.getByText(`${ended.name} was deleted.`).waitFor()
      await until(() => request(ended.name).count()).toBe(0)
      want(await get(owner, `/organization/${ended.id}`), 404)
      want(await get(owner, `/organization/${kept.id}`), 200)
    })
  })

  it("create an organization from a GeoJSON file or a drawing, and set its policy, on 320 pixels too", async () => {
    for (const [width, colorScheme] of [
      [1280, "light"],
      [320, "dark"]
    ] as const) {
      const viewport = { width, height: 900 }
      const expected = /^40[03]|status of 40[03]/
      await visit({ fragment: asOperator, viewport, colorScheme, expected }, async (page) => {
        const name = `Museum ${width}`
        const create = page.getByRole("button", { name: "Create", exact: true })
        const fill = async () => {
          await page.getByLabel("Name", { exact: true }).fill(name)
          await page.getByLabel("Owner's id").fill("founder")
          await page.getByLabel("Mail address").fill("founder@example.test")
        }
        await fill()
        assert.isTrue(await create.isDisabled())
        const file = (text: string) => ({
          name: "area.geojson",
          mimeType: "application/geo+json",
          buffer: Buffer.from(text)
        })
        await page.getByLabel("GeoJSON file").setInputFiles(file('{"type":"Point","coordinates":[11,45]}'))
        await page.getByText("This is no GeoJSON with a polygon.").waitFor()
        const geometry: unknown = JSON.parse(area(11, 45, 12, 46))
        const collection = { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry }] }
        if (width === 1280) await page.getByLabel("GeoJSON file").setInputFiles(file(JSON.stringify(collection)))
        else {
          await page.getByLabel("Latitude").first().fill("45.5")
          await page.getByLabel("Longitude").first().fill("11.5")
          await page.getByRole("button", { name: "Begin the drawing" }).click()
        }
        await page.getByRole("button", { name: /^Corner 1 of 4/ }).waitFor()
        assert.isFalse(await isTooWide(page))
        assert.deepStrictEqual(await faultsOf(page), [])
        await create.click()
        await page.getByText(`${name} was created with the id `).waitFor()
        const founder = sojourn.administrator("founder", "founder@example.test")
        const [made] = want(await get(founder, `/administrator/permission/${founder.id}`), 200).json.slice(-1)
        assert.strictEqual(want(await get(founder, `/organization/${made.organizationId}`), 200).json.name, name)
        // The server's refusal is said in words.
        await fill()
        await page.getByLabel("Or paste GeoJSON").fill(area(11, 45, 12, 46))
        await page.getByLabel("Name", { exact: true }).focus()
        await create.click()
        await page.getByText("The server refused (400).").waitFor()

        await page.getByLabel("Organization's id").fill(String(made.organizationId))
        await page.getByRole("button", { name: "Show", exact: true }).click()
        await page.getByRole("heading", { name, exact: true }).waitFor()
        await page.getByLabel("Longest stay, in hours").fill("12")
        await page.getByLabel("Stays are kept for, in days").fill("30")
        await page.getByRole("button", { name: "Save", exact: true }).click()
        await page.getByText("Saved.", { exact: true }).waitFor()
        const path = `/operator/organization/${made.organizationId}/policy`
        const { longestStay, retention } = want(await get(operator, path), 200).json
        assert.deepStrictEqual([longestStay, retention], [43_200, 2_592_000])
      })
    }
  })
})

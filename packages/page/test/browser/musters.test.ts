/** Musters in Chromium: announced everywhere, begun quickly, and carried to the muster point on paper. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const { sojourn, owner, authenticated, linked, enter, post, want, visitAsOwner, withPlaces } = await pageForThisFile()
const begin = async (id: number, kind: string): Promise<number> =>
  want(await post(owner, `/muster/organization/${id}`, { kind }), 201).json.musterId
const end = async (musterId: number) => want(await post(owner, `/muster/${musterId}/end`, undefined), 200)
const visitor = sojourn.user("visitor")
const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href")

describe.skipIf(missing !== undefined)("the page: open musters", () => {
  it(
    "are announced in every view, for every organization, by the title and the icon too, until they end",
    async () => {
      const first = await withPlaces()
      const other = await withPlaces()
      const before = await begin(other.id, "evacuation")
      await visitAsOwner({ fragment: `&organization=${first.id}` }, async (page) => {
        const alarm = (kind: string, name: string) =>
          page.getByRole("alert").getByText(new RegExp(`^${name}: ${kind} since `))
        await alarm("Evacuation", other.name).waitFor()
        await until(() => page.title()).toBe(`Evacuation: ${other.name} - Sojourn`)
        await until(() => icon(page)).toBe("/page/muster.svg")
        for (const tab of ["Areas", "Administrators", "Organization's data", "Overview"]) {
          await page.getByRole("link", { name: tab, exact: true }).click()
          await page.locator(`nav.tabs a[aria-current]`, { hasText: tab }).waitFor()
          assert.isTrue(await alarm("Evacuation", other.name).isVisible(), tab)
        }
        const drill = await begin(first.id, "drill")
        await alarm("Drill", first.name).waitFor()
        const colours = await Promise.all(
          ["drill", "evacuation"].map((kind) =>
            page.evaluate(`getComputedStyle(document.querySelector(".alarm.${kind}")).backgroundColor`)
          )
        )
        assert.notStrictEqual(colours[0], colours[1])
        assert.deepStrictEqual(await faultsOf(page), [])
        await end(before)
        await end(drill)
        await until(() => page.locator(".alarm").count()).toBe(0)
        await until(() => page.title()).toBe(`${first.name} - Sojourn`)
        assert.strictEqual(await icon(page), "/favicon.svg")
      })
    },
    PATIENCE
  )

  it(
    "begin with two clicks from any view, within a screen, and the panel is where one looks",
    async () => {
      const { id } = await withPlaces()
      for (const viewport of [
        { width: 1280, height: 900 },
        { width: 390, height: 844 }
      ]) {
        await visitAsOwner({ viewport, fragment: `&organization=${id}&tab=details` }, async (page) => {
          await page.getByRole("link", { name: "Muster", exact: true }).click()
          const start = page.getByRole("button", { name: "Start", exact: true })
          await start.waitFor()
          await until(async () => {
            const { y, height } = (await start.boundingBox())!
            return y >= 0 && y + height <= viewport.height
          }).toBe(true)
          await start.click()
          await page
            .getByRole("alert")
            .getByText(/Drill since/)
            .waitFor()
          await page.getByRole("button", { name: "End the muster" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "End the muster" }).click()
          await until(() => page.locator(".alarm").count()).toBe(0)
        })
      }
    },
    PATIENCE
  )
})

describe.skipIf(missing !== undefined)("the page: musters on paper", () => {
  it(
    "have all people whatever the list is filtered by, with the times and a column to sign",
    async () => {
      const { id, garden } = await withPlaces({}, authenticated)
      const where = { kind: "place", id: garden.id } as const
      for (const person of ["ada", "alan", "grace"]) want(await enter(await linked(id, person), where), 201)
      const muster = await begin(id, "evacuation")
      want(await post(owner, `/muster/${muster}/safe`, { orgAuthServerIds: ["grace"] }), 200)
      await visitAsOwner({ fragment: `&organization=${id}&panel=muster` }, async (page) => {
        const list = page.getByRole("table", { name: "Muster" })
        await list.getByRole("row", { name: "ada" }).waitFor()
        await page.locator(".to-search li", { hasText: /Garden\s*2/ }).waitFor()
        await page.getByRole("searchbox").last().fill("alan")
        await until(() => list.getByRole("row").count()).toBe(2)
        await page.emulateMedia({ media: "print" })
        const paper = page.locator(".muster .on-paper")
        for (const person of ["ada", "alan", "grace"])
          await paper.getByRole("row", { name: new RegExp(`^${person} Garden`) }).waitFor()
        await paper.getByRole("columnheader", { name: "Signature" }).waitFor()
        await paper.getByText(/^Printed \d/).waitFor()
        await page.getByText(/^Started by /).waitFor()
        assert.isFalse(await list.isVisible())
        await page.emulateMedia({ media: "screen" })
        await until(() => page.locator(".on-paper").count()).toBe(0)
      })
    },
    PATIENCE
  )

  it(
    "name the places to search in an anonymous organization, and an overview prints every place with its count",
    async () => {
      const { id, garden } = await withPlaces()
      for (let n = 0; n < 3; n++) want(await enter(visitor, { kind: "place", id: garden.id }), 201)
      await visitAsOwner({ fragment: `&organization=${id}` }, async (page) => {
        await page.getByRole("table", { name: "Places" }).getByText("3").first().waitFor()
        await page.emulateMedia({ media: "print" })
        await page.getByRole("row", { name: "Garden 3 – no capacity" }).waitFor()
        await page.getByRole("row", { name: "Gallery 0 – no capacity" }).waitFor()
        await page.emulateMedia({ media: "screen" })
        await page.getByRole("link", { name: "Muster", exact: true }).click()
        await page.getByRole("button", { name: "Start", exact: true }).click()
        await page.locator(".to-search li", { hasText: /Garden\s*3/ }).waitFor()
        assert.strictEqual(await page.locator(".to-search li").count(), 1)
        assert.deepStrictEqual(await faultsOf(page), [])
      })
    },
    PATIENCE
  )
})

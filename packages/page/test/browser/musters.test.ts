/** Musters in Chromium: announced everywhere, begun quickly, and carried to the muster point on paper. */
import { setTimeout } from "node:timers/promises"
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { addressOf, answer, count, faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const { sojourn, owner, authenticated, linked, enter, post, want, bind, visit, visitAsOwner, withPlaces } =
  await pageForThisFile()
const begin = async (id: number, kind: string): Promise<number> =>
  want(await post(owner, `/muster/organization/${id}`, { kind }), 201).json.musterId
const end = async (musterId: number) => want(await post(owner, `/muster/${musterId}/end`, undefined), 200)
const visitor = sojourn.user("visitor")
const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href")

describe.skipIf(missing !== undefined)("the page: open musters", { timeout: PATIENCE }, () => {
  it("are announced in every view, for every organization, by the title and the icon too, until they end", async () => {
    const first = await withPlaces()
    const other = await withPlaces()
    const before = await begin(other.id, "evacuation")
    await visitAsOwner({ fragment: addressOf(first.id) }, async (page) => {
      const alarm = (kind: string, name: string) =>
        page.getByRole("alert").getByText(new RegExp(`^${name}: ${kind} since `))
      await alarm("Evacuation", other.name).waitFor()
      await until(() => page.title()).toBe(`Evacuation: ${other.name} - Sojourn`)
      await until(() => icon(page)).toBe("/page/evacuation.svg")
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
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepStrictEqual(await faultsOf(page), [], colorScheme)
      }
      // It stays in view at the end of a long page.
      await page.evaluate("scrollTo(0, document.body.scrollHeight)")
      await until(async () => (await page.locator(".alarm.evacuation").boundingBox())!.y).toBeGreaterThanOrEqual(0)
      await end(before)
      await until(() => icon(page)).toBe("/page/drill.svg")
      await until(() => page.title()).toBe(`Drill: ${first.name} - Sojourn`)
      await end(drill)
      await until(() => page.locator(".alarm").count()).toBe(0)
      await until(() => page.title()).toBe(`${first.name} - Sojourn`)
      assert.strictEqual(await icon(page), "/favicon.svg")
    })
  })

  it("are announced for an organization on another page of a long list, which one click leads to", async () => {
    const inspector = sojourn.administrator("inspector")
    const organizations: Array<{ readonly id: number; readonly name: string }> = []
    for (let n = 0; n < 22; n++) organizations.push(await withPlaces())
    for (const { id } of organizations) await bind(id, inspector, "viewer")
    await visit({ fragment: `#token=${await inspector.token}` }, async (page) => {
      const list = page.getByRole("navigation", { name: "Organizations" })
      await list.getByText("22 found, page 1 of 2").waitFor()
      const listed = (await list.getByRole("link").allInnerTexts()).join()
      const { id, name } = organizations.find(({ name }) => !listed.includes(name))!
      await until(() => page.title()).toMatch(/ - Sojourn$/)
      const muster = await begin(id, "evacuation")
      await page.getByRole("alert").getByText(`${name}: Evacuation since`).waitFor()
      assert.strictEqual(await page.title(), `Evacuation: ${name} - Sojourn`)
      await page.getByRole("button", { name: "Show the muster" }).click()
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      await page.locator(".muster.open").getByRole("heading", { name: "Evacuation" }).waitFor()
      await end(muster)
      await until(() => page.locator(".alarm").count()).toBe(0)
      assert.strictEqual(await page.title(), `${name} - Sojourn`)
    })
  })

  it("begin with two clicks from any view, within a screen, and the panel is where one looks", async () => {
    const { id } = await withPlaces()
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 }
    ]) {
      await visitAsOwner({ viewport, fragment: addressOf(id, "details") }, async (page) => {
        // The server is slow: the panel is scrolled to again when its content is there at last.
        await page.route("**/muster/organization/*", async (route) => {
          await setTimeout(4_000)
          await route.fallback()
        })
        for (const [button, kind] of [
          ["Start", "Drill"],
          ["Evacuate now", "Evacuation"]
        ] as const) {
          await page.getByRole("link", { name: "Muster", exact: true }).click()
          const start = page.getByRole("button", { name: button, exact: true })
          await start.waitFor()
          await until(async () => {
            const { y, height } = (await start.boundingBox())!
            return y >= 0 && y + height <= viewport.height
          }).toBe(true)
          await page.unrouteAll({ behavior: "wait" })
          await start.click()
          await page
            .getByRole("alert")
            .getByText(new RegExp(`${kind} since`))
            .waitFor()
          await page.getByRole("button", { name: "End the muster" }).click()
          await answer(page, "End the muster")
          await until(() => page.locator(".alarm").count()).toBe(0)
          await page.getByRole("link", { name: "Areas", exact: true }).click()
        }
      })
    }
  })

  it("shows a muster that others start, to every visitor and instead of an earlier one, and keeps the focus in its list", async () => {
    const { id, garden } = await withPlaces({}, authenticated)
    const where = { kind: "place", id: garden.id } as const
    for (const person of ["ada", "alan"]) want(await enter(await linked(id, person), where), 201)
    const drill = await begin(id, "drill")
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      // It is seen from every tab, and one step leads to it.
      await page
        .getByRole("alert")
        .getByText(/: Drill since /)
        .waitFor()
      await page.getByRole("button", { name: "Show the muster" }).click()
      await page.locator("summary:focus", { hasText: "Muster" }).waitFor()
      const open = page.locator(".muster.open")
      await open.getByRole("heading", { name: "Drill" }).waitFor()
      await page.getByRole("button", { name: "Mark as safe: ada" }).focus()
      await page.keyboard.press("Enter")
      await page.locator(".numbers", { hasText: /missing\s*1\s*safe\s*1/i }).waitFor()
      await until(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Mark as safe: alan")
      assert.deepStrictEqual(await faultsOf(page), [])

      await end(drill)
      await page
        .locator(".muster")
        .getByText(/Ended /)
        .waitFor()
      await until(() => page.getByText(/: Drill since /).count()).toBe(0)
      await begin(id, "evacuation")
      await open.getByRole("heading", { name: "Evacuation" }).waitFor()
      await page
        .getByRole("alert")
        .getByText(/: Evacuation since /)
        .waitFor()
    })
  })

  it("counts the people at the muster point of an anonymous organization", async () => {
    const { id } = await withPlaces()
    for (let n = 0; n < 3; n++) want(await enter(visitor, { kind: "organization", id }), 201)
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Whole organization", 3)
      assert.strictEqual(await page.getByRole("heading", { name: "Who is inside" }).count(), 0)
      await page.getByRole("heading", { name: "Muster", exact: true }).click()
      await page.getByRole("button", { name: "Start", exact: true }).click()
      await page.getByLabel("People at the muster point, in all").fill("2")
      await page.getByRole("button", { name: "Save" }).click()
      await page.locator(".numbers", { hasText: /missing\s*1\s*safe\s*2/ }).waitFor()
    })
  })
})

describe.skipIf(missing !== undefined)("the page: musters on paper", { timeout: PATIENCE }, () => {
  it("have all people whatever the list is filtered by, with the times and a column to sign", async () => {
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
  })

  it("name the places to search in an anonymous organization, and an overview prints every place with its count", async () => {
    const { id, garden } = await withPlaces()
    for (let n = 0; n < 3; n++) want(await enter(visitor, { kind: "place", id: garden.id }), 201)
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
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
  })
})

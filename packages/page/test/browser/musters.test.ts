/** Musters in Chromium: announced everywhere, begun quickly, held by manager and keys, and carried to the muster point on paper. */
import { setTimeout } from "node:timers/promises"
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import {
  addressOf,
  answer,
  button,
  checkView,
  count,
  missing,
  openTab,
  pageForThisFile,
  PATIENCE,
  savedBy,
  until
} from "./visiting.ts"

const { sojourn, owner, authenticated, linked, enter, leave, post, want, bind, visit, visitAsOwner, withPlaces } =
  await pageForThisFile()
const begin = async (id: number, kind: string): Promise<number> =>
  want(await post(owner, `/muster/organization/${id}`, { kind }), 201).json.musterId
const end = async (musterId: number) => want(await post(owner, `/muster/${musterId}/end`, undefined), 200)
const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href")
const alarm = (page: Page, kind: string, name = "") =>
  page.getByRole("alert").getByText(new RegExp(`^${name}.*: ${kind} since `))
const noAlarm = (page: Page) => until(() => page.locator(".alarm").count()).toBe(0)
const numbers = (page: Page, missing: number, safe: number, left: number) => {
  const hasText = new RegExp(`missing\\s*${missing}\\s*safe\\s*${safe}\\s*left\\s*${left}`)
  return page.locator(".numbers", { hasText }).waitFor()
}

describe.skipIf(missing !== undefined)("the page: open musters", { timeout: PATIENCE }, () => {
  it("are announced in every view, for every organization, by the title and the icon too, until they end", async () => {
    const first = await withPlaces()
    const other = await withPlaces()
    const before = await begin(other.id, "evacuation")
    await visitAsOwner({ fragment: addressOf(first.id) }, async (page) => {
      await alarm(page, "Evacuation", other.name).waitFor()
      await until(() => page.title()).toBe(`Evacuation: ${other.name} - Sojourn`)
      await until(() => icon(page)).toBe("/page/evacuation.svg")
      for (const tab of ["Areas", "Administrators", "Organization's data", "Overview"]) {
        await page.getByRole("link", { name: tab, exact: true }).click()
        await page.locator(`nav.tabs a[aria-current]`, { hasText: tab }).waitFor()
        assert.isTrue(await alarm(page, "Evacuation", other.name).isVisible(), tab)
      }
      const drill = await begin(first.id, "drill")
      await alarm(page, "Drill", first.name).waitFor()
      const colours = await Promise.all(
        ["drill", "evacuation"].map((kind) =>
          page.evaluate(`getComputedStyle(document.querySelector(".alarm.${kind}")).backgroundColor`)
        )
      )
      assert.notStrictEqual(colours[0], colours[1])
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme })
        await checkView(page)
      }
      // It stays in view at the end of a long page.
      await page.evaluate("scrollTo(0, document.body.scrollHeight)")
      await until(async () => (await page.locator(".alarm.evacuation").boundingBox())!.y).toBeGreaterThanOrEqual(0)
      await end(before)
      await until(() => icon(page)).toBe("/page/drill.svg")
      await until(() => page.title()).toBe(`Drill: ${first.name} - Sojourn`)
      await end(drill)
      await noAlarm(page)
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
      const muster = await begin(id, "evacuation")
      await alarm(page, "Evacuation", name).waitFor()
      await button(page, "Show the muster").click()
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      await page.locator(".muster.open").getByRole("heading", { name: "Evacuation" }).waitFor()
      await end(muster)
      await noAlarm(page)
    })
  })
})

describe.skipIf(missing !== undefined)("the page: holding a muster", { timeout: PATIENCE }, () => {
  it("of known people: who is missing, safe or has left, by keys, shared with others, on paper and as CSV", async () => {
    const { id, name, garden } = await withPlaces({}, authenticated)
    const where = { kind: "place", id: garden.id } as const
    const [ada, alan] = [await linked(id, "ada"), await linked(id, "alan")]
    want(await enter(ada, where), 201)
    await visitAsOwner({ fragment: addressOf(id), expected: /ERR_INTERNET_DISCONNECTED/ }, async (page) => {
      await count(page, "Garden", 1)
      await page.getByRole("heading", { name: "Who is inside" }).click()
      const inside = page.getByRole("table", { name: "Who is inside" })
      await inside.getByRole("row", { name: "ada" }).waitFor()
      const { exitToken } = want(await enter(alan, where), 201).json
      await inside.getByRole("row", { name: "alan" }).waitFor()
      // What was read stays when it cannot be read again.
      await page.context().setOffline(true)
      await button(page, "Refresh").click()
      await page.getByText("The server was not reached.").waitFor()
      assert.isTrue(await inside.getByRole("row", { name: "alan" }).isVisible())
      await page.context().setOffline(false)

      await page.getByRole("heading", { name: "Muster", exact: true }).click()
      await page.getByLabel("Note").fill("Fire in the kitchen")
      await page.getByLabel("Kind").selectOption("Evacuation")
      await button(page, "Start").click()
      await page.getByText("Fire in the kitchen").waitFor()
      await numbers(page, 2, 0, 0)
      await page.locator(".to-search li", { hasText: /Garden\s*2/ }).waitFor()
      await button(page, "Searched: Garden").click()
      await page.locator(".to-search button[aria-pressed=true]").waitFor()
      const list = page.getByRole("table", { name: "Muster" })
      const search = page.getByRole("searchbox").last()
      await search.fill("alan")
      await until(() => list.getByRole("row").count()).toBe(2)
      // On paper are all people, whatever the list is filtered by.
      await page.emulateMedia({ media: "print" })
      const paper = page.locator(".muster .on-paper")
      for (const person of ["ada", "alan"])
        await paper.getByRole("row", { name: new RegExp(`^${person} Garden`) }).waitFor()
      await paper.getByRole("columnheader", { name: "Signature" }).waitFor()
      await paper.getByText(/^Printed \d/).waitFor()
      await page.getByText(/^Started by /).waitFor()
      assert.isFalse(await list.isVisible())
      await page.emulateMedia({ media: "screen" })
      await until(() => page.locator(".on-paper").count()).toBe(0)
      await search.fill("")
      await button(page, "Mark as safe: ada").focus()
      await page.keyboard.press("Enter")
      await numbers(page, 1, 1, 0)
      await until(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Mark as safe: alan")
      want(await leave(alan, where, exitToken), 202)
      await numbers(page, 0, 1, 1)
      const addGrace = async () => {
        await page.getByLabel("Add a person as safe").fill("grace")
        await button(page, "Save").click()
        await numbers(page, 0, 2, 1)
      }
      await addGrace()
      await page.getByLabel("Only missing people").uncheck()
      await button(page, "Take the mark back: grace").click()
      await numbers(page, 0, 1, 1)
      await addGrace()
      await checkView(page)

      const csv = await savedBy(page, () => button(page, "Download as CSV: Muster").click())
      assert.match(csv, /^\ufefforgAuthServerId,/)
      for (const person of ["ada", "alan", "grace"]) assert.match(csv, new RegExp(`^${person},`, "m"))
      await button(page, "End the muster").click()
      await answer(page, "End the muster")
      await page.getByText(/Ended /).waitFor()

      // One that others start takes its place, and one step leads to it from every tab.
      const drill = await begin(id, "drill")
      await page.locator(".muster.open").getByRole("heading", { name: "Drill" }).waitFor()
      await openTab(page, id, "areas")
      await alarm(page, "Drill").waitFor()
      await button(page, "Show the muster").click()
      await page.locator("summary:focus", { hasText: "Muster" }).waitFor()
      await page.locator(".muster.open").getByRole("heading", { name: "Drill" }).waitFor()
      await end(drill)

      // A stay that no exit ended ends beside its person, and all others at once.
      await page.getByRole("heading", { name: "Who is inside" }).click()
      await button(page, "End this visit: ada, Garden").click()
      const dialog = page.getByRole("dialog", { name: "End the visit of ada: Garden" })
      await checkView(page)
      await dialog.getByRole("button", { name: "End this visit" }).click()
      await page.getByText("The visit of ada ended.").waitFor()
      await page.getByText("No one is inside.").waitFor()
      want(await enter(alan, where), 201)
      await count(page, "Garden", 1)
      await page.locator("summary", { hasText: "All out" }).click()
      await button(page, "All out").click()
      assert.include(await answer(page, "All out"), name)
      await page.getByText("Visits that ended: 1. Counted people taken off: 0.").waitFor()
      await count(page, "Garden", 0)
    })
  })

  it("of an anonymous organization: in two clicks from any view, on a phone too, with the places to search", async () => {
    const { id, garden } = await withPlaces()
    for (let n = 0; n < 3; n++)
      for (const where of [
        { kind: "place", id: garden.id },
        { kind: "organization", id }
      ] as const)
        want(await enter(sojourn.user("visitor"), where), 201)
    const viewport = { width: 390, height: 844 }
    await visitAsOwner({ viewport, fragment: addressOf(id, "details") }, async (page) => {
      // The server is slow: the panel is scrolled to again when its content is there at last.
      await page.route("**/muster/organization/*", async (route) => {
        await setTimeout(4_000)
        await route.fallback()
      })
      for (const [name, kind] of [
        ["Start", "Drill"],
        ["Evacuate now", "Evacuation"]
      ] as const) {
        await page.getByRole("link", { name: "Muster", exact: true }).click()
        const start = button(page, name)
        await start.waitFor()
        await until(async () => {
          const { y, height } = (await start.boundingBox())!
          return y >= 0 && y + height <= viewport.height
        }).toBe(true)
        await page.unrouteAll({ behavior: "wait" })
        await start.click()
        await alarm(page, kind).waitFor()
        if (kind === "Evacuation") break
        await button(page, "End the muster").click()
        await answer(page, "End the muster")
        await noAlarm(page)
        await page.getByRole("link", { name: "Areas", exact: true }).click()
      }
      await page.locator(".to-search li", { hasText: /Garden\s*3/ }).waitFor()
      await page.getByLabel("People at the muster point, in all").fill("2")
      await button(page, "Save").click()
      await page.locator(".numbers", { hasText: /missing\s*1\s*safe\s*2/ }).waitFor()
      assert.strictEqual(await page.getByRole("heading", { name: "Who is inside" }).count(), 0)
      await checkView(page)
      // An overview prints every place with its count.
      await button(page, "End the muster").click()
      await answer(page, "End the muster")
      await page.emulateMedia({ media: "print" })
      await page.getByRole("row", { name: "Garden 3 – no capacity" }).waitFor()
      await page.getByRole("row", { name: "Gallery 0 – no capacity" }).waitFor()
    })
  })
})

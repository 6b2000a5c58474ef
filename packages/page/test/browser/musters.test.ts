/** Musters in Chromium: they fill the window, never contradict themselves, outlast the connection, and end with a report. */
import { setTimeout } from "node:timers/promises"
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import {
  addressOf,
  answer,
  button,
  checkView,
  count,
  DESKTOP,
  missing,
  pageForThisFile,
  PATIENCE,
  savedBy,
  until
} from "./visiting.ts"

const {
  sojourn,
  owner,
  operator,
  authenticated,
  linked,
  enter,
  leave,
  get,
  post,
  put,
  want,
  bind,
  visit,
  visitAsOwner,
  withPlaces
} = await pageForThisFile()
const begin = async (id: number, kind: string): Promise<number> =>
  want(await post(owner, `/muster/organization/${id}`, { kind }), 201).json.musterId
const end = async (musterId: number) => want(await post(owner, `/muster/${musterId}/end`, undefined), 200)
const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href")
const alarm = (page: Page, kind: string, name = "") =>
  page.getByRole("alert").getByText(new RegExp(`^${name}.*: ${kind} since `))
const noAlarm = (page: Page) => until(() => page.locator(".alarm").count()).toBe(0)
/** The heading of the window. */
const title = (page: Page, text: string) => page.getByRole("heading", { level: 1, name: new RegExp(`^(\\W+)?${text}`) })
const back = (page: Page) => button(page, "Back to the overview").click()
const numbers = async (page: Page, missing: number, safe: number, left: number) => {
  await page.locator(".missing-number", { hasText: new RegExp(`^${missing}$`) }).waitFor()
  await page.locator(".numbers", { hasText: new RegExp(`safe\\s*${safe}\\s*left\\s*${left}`) }).waitFor()
}
const place = (page: Page, name: string) => page.getByRole("button", { name: new RegExp(`^Searched: ${name}`) })
/** The row of a person in a group. */
const person = (page: Page, group: string, id: string) =>
  page.locator(`.muster-group.${group} li`).filter({ has: page.getByText(id, { exact: true }) })
const focused = (page: Page, attribute: string) =>
  until(() => page.evaluate(`document.activeElement.getAttribute('${attribute}')`))
const fontSize = async (page: Page) =>
  Number.parseFloat(await page.evaluate(`getComputedStyle(document.querySelector(".missing-number")).fontSize`))

describe.skipIf(missing !== undefined)("the page: open musters", { timeout: PATIENCE }, () => {
  it("fill the window of their organization, and are announced in every view of others, until they end", async () => {
    const first = await withPlaces()
    const other = await withPlaces()
    const before = await begin(other.id, "evacuation")
    await visitAsOwner({ ...DESKTOP, fragment: addressOf(first.id) }, async (page) => {
      await alarm(page, "Evacuation", other.name).waitFor()
      await until(() => page.title()).toBe(`Evacuation: ${other.name} - Sojourn`)
      await until(() => icon(page)).toBe("/page/evacuation.svg")
      for (const tab of ["Areas", "People", "Settings", "Overview"]) {
        await page.getByRole("link", { name: tab, exact: true }).click()
        await page.locator(`nav.rail a[aria-current]`, { hasText: tab }).waitFor()
        assert.isTrue(await alarm(page, "Evacuation", other.name).isVisible(), tab)
      }
      // It stays in view at the end of a long page.
      await page.evaluate("scrollTo(0, document.body.scrollHeight)")
      await until(async () => (await page.locator(".alarm.evacuation").boundingBox())!.y).toBeGreaterThanOrEqual(0)

      const drill = await begin(first.id, "drill")
      await title(page, "Drill").waitFor()
      await page.locator(".muster-head.drill").waitFor()
      const box = (await page.locator(".takeover").boundingBox())!
      assert.deepStrictEqual(box, { x: 0, y: 0, ...DESKTOP.viewport })
      assert.isAtLeast(await fontSize(page), 0.12 * DESKTOP.viewport.height)
      await focused(page, "class").toBe("takeover")
      assert.strictEqual(await page.getByRole("main").count(), 1)
      const colours = await Promise.all(
        [".strip.drill", ".alarm.evacuation"].map((kind) =>
          page.evaluate(`getComputedStyle(document.querySelector(".takeover ${kind}")).backgroundColor`)
        )
      )
      assert.notStrictEqual(colours[0], colours[1])
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme })
        await checkView(page)
      }
      await back(page)
      await page.getByRole("heading", { name: first.name, level: 1 }).waitFor()
      await alarm(page, "Drill", first.name).waitFor()
      await page.locator(".alarm.drill button").click()
      await title(page, "Drill").waitFor()
      // The muster of another organization is one press away, also from this one.
      await page.locator(".takeover .alarm.evacuation button").click()
      await title(page, "Evacuation").getByText(other.name).waitFor()
      await end(before)
      await title(page, "Report: Evacuation").waitFor()
      await back(page)
      await until(() => icon(page)).toBe("/page/drill.svg")
      await until(() => page.title()).toBe(`Drill: ${first.name} - Sojourn`)
      await end(drill)
      await noAlarm(page)
      await until(() => page.title()).toBe(`${other.name} - Sojourn`)
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
      await title(page, "Evacuation").getByText(name).waitFor()
      await end(muster)
      await noAlarm(page)
    })
  })
})

describe.skipIf(missing !== undefined)("the page: holding a muster", { timeout: PATIENCE }, () => {
  it("of known people: by keys, shared at once, without a connection, to its report", async () => {
    const { id, name, garden, gallery } = await withPlaces({}, authenticated)
    const where = { kind: "place", id: garden.id } as const
    const [ada, alan] = [await linked(id, "ada"), await linked(id, "alan")]
    want(await enter(ada, where), 201)
    const expected = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|409/
    await visitAsOwner({ ...DESKTOP, fragment: addressOf(id), expected }, async (page) => {
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

      await page.getByRole("link", { name: "Muster", exact: true }).click()
      await page.getByText("There was no muster yet.").waitFor()
      await checkView(page)
      await page.getByLabel("Note").fill("Fire in the kitchen")
      await page.getByLabel("Kind").selectOption("Evacuation")
      await button(page, "Start").click()
      await title(page, "Evacuation").waitFor()
      await page.getByText("Fire in the kitchen").waitFor()
      await page.getByText("An emergency, no drill").waitFor()
      await numbers(page, 2, 0, 0)
      const [{ musterId }] = want(await get(owner, `/muster/organization/${id}`), 200).json
      await place(page, "Garden 2").waitFor()

      // Another warden sees what this one searched, and this one whom the other marked.
      await visitAsOwner({ fragment: addressOf(id) }, async (other) => {
        await place(other, "Garden").waitFor()
        await place(page, "Garden").click()
        await other.locator(".to-search button[aria-pressed=true]", { hasText: "Searched" }).waitFor({ timeout: 2_000 })
        await button(other, "Safe: alan").click()
        await person(page, "safe", "alan").waitFor({ timeout: 2_000 })
        await button(page, "Undo: alan").click()
        await numbers(page, 2, 0, 0)
      })

      await page.keyboard.press("/")
      await focused(page, "type").toBe("search")
      await page.keyboard.type("ala/")
      await button(page, "Add as safe: ala/").waitFor()
      await page.keyboard.press("Backspace")
      await until(() => page.locator(".muster-group li").count()).toBe(1)
      // On paper are all people, whatever the list is filtered by.
      await page.emulateMedia({ media: "print" })
      for (const id of ["ada", "alan"]) await page.getByRole("row", { name: new RegExp(`^${id} Garden`) }).waitFor()
      await page.getByRole("columnheader", { name: "Signature" }).waitFor()
      await page
        .locator(".muster-report")
        .getByText(/^Printed \d/)
        .waitFor()
      await page.getByText(/^Started by /).waitFor()
      await page.emulateMedia({ media: "screen" })
      await page.getByRole("searchbox").fill("")
      const { width, height } = (await button(page, "Safe: ada").boundingBox())!
      assert.isAtLeast(Math.min(width, height), 44)
      await button(page, "Safe: ada").focus()
      await page.keyboard.press("Enter")
      await numbers(page, 1, 1, 0)
      await focused(page, "aria-label").toBe("Safe: alan")
      // The row stays where it is, to be undone, and moves later.
      await person(page, "missing", "ada").getByText("Undo").waitFor()
      await person(page, "safe", "ada").waitFor()
      await checkView(page)

      // Without a connection everything waits, and what was undone is not sent at all.
      const sent: Array<string> = []
      page.on("request", (request) => {
        if (request.method() === "POST") sent.push(`${new URL(request.url()).pathname} ${request.postData()}`)
      })
      await page.context().setOffline(true)
      await place(page, "Gallery").click()
      await button(page, "Safe: alan").click()
      await button(page, "Undo: alan").click()
      await page.getByRole("searchbox").fill("grace")
      await button(page, "Add as safe: grace").click()
      await person(page, "safe", "grace").getByText("waiting").waitFor()
      await place(page, "Gallery").getByText("waiting").waitFor()
      assert.strictEqual(await person(page, "missing", "alan").getByText("waiting").count(), 0)
      await page.getByText("No connection: 2 waiting.").waitFor()
      await page.getByRole("searchbox").fill("")
      assert.deepStrictEqual(sent, [])
      await back(page)
      await alarm(page, "Evacuation").waitFor()
      await button(page, "Show the muster").click()
      await numbers(page, 1, 2, 0)
      await page.context().setOffline(false)
      await until(() => page.getByText("waiting").count()).toBe(0)
      assert.deepStrictEqual(sent, [
        `/muster/${musterId}/swept {"placeId":${gallery.id},"swept":true}`,
        `/muster/${musterId}/safe {"orgAuthServerIds":["grace"]}`
      ])

      // A request that fails is tried again, also after the page was loaded again while the server answers nothing but its files.
      const calls = /\/(muster|authentication|administrator|organization|place|presence)\//
      await page.route(calls, (route) => route.abort())
      await button(page, "Safe: alan").click()
      await person(page, "missing", "alan").getByText("waiting").waitFor()
      await page.goto(`${sojourn.baseUrl}/?again#token=${await owner.token}${addressOf(id)}&panel=muster`)
      await person(page, "safe", "alan").getByText("waiting").waitFor()
      await numbers(page, 0, 3, 0)
      await page.unroute(calls)
      await until(() => page.getByText("waiting").count()).toBe(0)
      await numbers(page, 0, 3, 0)
      await page.locator(".muster-head.clear .kind", { hasText: "No one is missing" }).waitFor()
      want(await leave(alan, where, exitToken), 202)
      await numbers(page, 0, 2, 1)

      // What waits when it ends is not recorded, and said.
      await page.context().setOffline(true)
      await button(page, "Undo: grace").click()
      await page.getByText("No connection: 1 waiting.").waitFor()
      await end(musterId)
      await page.context().setOffline(false)
      await page.getByText("The muster ended before they were sent. Not recorded: 1.").waitFor()

      await title(page, "Report: Evacuation").waitFor()
      await page.getByText(/^No one was missing after 00:/).waitFor()
      await page.getByText(/^Gallery: \d\d:\d\d, by /).waitFor()
      await page.getByRole("figure", { name: "Missing over time" }).waitFor()
      await page.getByText("In charge: name, date, signature").waitFor()
      await checkView(page)
      const csv = await savedBy(page, () => button(page, "Download as CSV: Muster").click())
      assert.match(csv, /^\ufefforgAuthServerId,/)
      for (const person of ["ada", "alan", "grace"]) assert.match(csv, new RegExp(`^${person},`, "m"))
      await back(page)

      // The next one is compared with it.
      const drill = await begin(id, "drill")
      await title(page, "Drill").waitFor()
      await button(page, "End the muster").click()
      await answer(page, "End the muster")
      await title(page, "Report: Drill").waitFor()
      await page.getByRole("row", { name: /Evacuation \d\d:\d\d 0/ }).waitFor()
      assert.isAbove(drill, musterId)
      await back(page)

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
      // Nothing of people stays in the tab after the sign-out.
      await begin(id, "drill")
      await title(page, "Drill").waitFor()
      await until(() => page.evaluate("Object.keys(sessionStorage).join()")).toMatch(/sojourn\.muster/)
      await back(page)
      await button(page, "Sign out").click()
      await page.getByLabel("Password").waitFor()
      assert.notMatch(await page.evaluate("Object.keys(sessionStorage).join()"), /muster/)
    })
  })

  it("of an anonymous organization: in two clicks from any view, on a phone too, whose numbers agree", async () => {
    const { id, garden, gallery } = await withPlaces()
    const places = [garden, garden, garden, garden, gallery, gallery, gallery]
    for (const { id } of places) want(await enter(sojourn.user("visitor"), { kind: "place", id }), 201)
    const viewport = { width: 390, height: 844 }
    await visitAsOwner({ viewport, fragment: addressOf(id, "details") }, async (page) => {
      // The server is slow: what is pressed is in view when it is there at last.
      await page.route("**/muster/organization/*", async (route) => {
        await setTimeout(1_000)
        await route.fallback()
      })
      const [heading, link] = [page.getByRole("heading", { level: 1 }), page.getByRole("link", { name: "Muster" })]
      const [name, muster] = [(await heading.boundingBox())!, (await link.boundingBox())!]
      assert.isBelow(muster.y, name.y + name.height, "the muster is beside the name")
      for (const [name, kind] of [
        ["Start", "Drill"],
        ["Evacuate now", "Evacuation"]
      ] as const) {
        await page.getByRole("link", { name: "Muster", exact: true }).click()
        const { y, height } = (await button(page, name).boundingBox())!
        assert.isTrue(y >= 0 && y + height <= viewport.height)
        await button(page, name).click()
        await title(page, kind).waitFor()
        await page.unrouteAll({ behavior: "wait" })
        if (kind === "Evacuation") break
        await button(page, "End the muster").click()
        await answer(page, "End the muster")
        await title(page, "Report").waitFor()
        await page.getByText("Missing: 7").waitFor()
        await checkView(page)
        await back(page)
      }
      assert.isAtLeast(await fontSize(page), 0.2 * viewport.width)
      await place(page, "Garden 4").waitFor()
      await place(page, "Gallery 3").waitFor()
      await page.getByLabel("People at the muster point, in all").fill("5")
      await button(page, "Save").click()
      await numbers(page, 2, 5, 0)
      // Who is safe is counted in the places too: they have no more than are missing, and say so.
      await place(page, "Garden up to 2").waitFor()
      await place(page, "Gallery up to 2").waitFor()
      await page.getByText("The places add up to more").waitFor()
      await checkView(page)
      await page.getByLabel("People at the muster point, in all").fill("7")
      await button(page, "Save").click()
      await numbers(page, 0, 7, 0)
      await place(page, "Garden 0").waitFor()
      await page.locator(".muster-head.clear").waitFor()
      await button(page, "End the muster").click()
      await answer(page, "End the muster")
      await title(page, "Report").waitFor()
      await page.getByRole("figure", { name: "Missing over time" }).waitFor()
      await back(page)
      assert.strictEqual(await page.getByRole("heading", { name: "Who is inside" }).count(), 0)
      // An overview prints every place with its count.
      await page.emulateMedia({ media: "print" })
      await page.getByRole("row", { name: "Garden 4 – no capacity" }).waitFor()
      await page.getByRole("row", { name: "Gallery 3 – no capacity" }).waitFor()
    })
  })

  it("of an anonymous organization with an interval: begins with what was published last", async () => {
    const { id, garden } = await withPlaces()
    want(
      await put(operator, `/operator/organization/${id}/policy`, { eventGrain: 60, timeZone: "Pacific/Auckland" }),
      200
    )
    want(await enter(sojourn.user("visitor"), { kind: "place", id: garden.id }), 201)
    const musterId = await begin(id, "drill")
    await visitAsOwner({ ...DESKTOP, fragment: addressOf(id) }, async (page) => {
      const { missing } = want(await get(owner, `/muster/${musterId}`), 200).json
      await numbers(page, missing, 0, 0)
      await place(page, `Garden ${missing}`).waitFor()
      // Times are those of the organization, also in what announces it.
      await page.locator(".muster-side").getByText("Days and times are those of Pacific/Auckland.").waitFor()
      await back(page)
      await alarm(page, "Drill").filter({ hasText: "(Pacific/Auckland)" }).waitFor()
    })
    await end(musterId)
  })
})

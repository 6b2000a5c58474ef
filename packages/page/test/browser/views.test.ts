/** Every view of the page in other languages, regions, directions and colours than those of its authors, on the smallest screen. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import {
  addressOf,
  checkView,
  DESKTOP,
  loaded,
  missing,
  NARROW,
  openTab,
  pageForThisFile,
  PATIENCE,
  until
} from "./visiting.ts"

const { sojourn, owner, post, put, want, bind, enter, authenticated, linked, place, visitAsOwner } =
  await pageForThisFile()

const TABS = [undefined, "people", "areas", "devices", "administrators", "changes", "details"]

/** An organization of which every view has something to show, with a name that is as long as it may be. */
const furnished = async () => {
  const name = "A museum with a very long name that goes on, Pfannkuchenhausen".padEnd(128, "W")
  const { id } = await authenticated({ name, city: "Graz" })
  const garden = await place(id, undefined, { name: "Garden" })
  want(await put(owner, `/capacity/place/${garden.id}`, { capacity: 1 }), 200)
  want(await enter(await linked(id, "ada"), { kind: "place", id: garden.id }), 201)
  want(await post(owner, `/device/organization/${id}`, { name: "Gate", premises: [{ placeId: garden.id }] }), 201)
  want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201)
  await bind(id, sojourn.administrator("a-second-one-with-a-rather-long-identifier"), "manager")
  return id as number
}
const id = missing === undefined ? await furnished() : 0

/** Shows a tab with all of its parts opened. */
const show = async (page: Page, tab: string | undefined, loading?: string) => {
  await openTab(page, id, tab)
  await page.locator("main h2").first().waitFor()
  const closed = page.locator("main details:not([open]) > summary")
  while ((await closed.count()) > 0) await closed.evaluateAll((all: any) => all.forEach((one: any) => one.click()))
  await loaded(page, loading)
}

/** Checks the open muster, which fills the window, and leaves it. */
const leaveMuster = async (page: Page, back = "Back to the overview") => {
  await page.locator(".to-search").waitFor()
  await checkView(page)
  await page.getByRole("button", { name: back }).click()
}

/** The texts of the page in a language that is written from right to left: those of Italian, which the browser loads in their place. */
const speakFromRightToLeft = (page: Page) =>
  page.route(/\/page\/it-[A-Z0-9]+\.js$/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/direction:\s*"ltr"/, 'direction:"rtl"')
    await route.fulfill({ response, body })
  })

/** A computed style of the button with this text. */
const styleOf = (page: Page, text: string, property: string): Promise<string> =>
  page.evaluate(
    `getComputedStyle([...document.querySelectorAll("button")].find((one) => one.textContent === "${text}")).${property}`
  )

/** Which buttons are filled with a colour and not pressed. */
const FILLED = `[...document.querySelectorAll("button")]
  .filter((button) => button.checkVisibility() && button.ariaPressed !== "true")
  .filter((button) => !["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(button).backgroundColor))
  .map(({ textContent }) => textContent)`

describe.skipIf(missing !== undefined)("every view of the page", { timeout: PATIENCE }, () => {
  it("fits 320 pixels, dark and in German, without a fault that axe-core finds", async () => {
    await visitAsOwner({ ...NARROW, fragment: addressOf(id), expected: /^400|status of 400/ }, async (page) => {
      await leaveMuster(page, "Zurück zur Übersicht")
      for (const tab of TABS) {
        await show(page, tab, "Wird geladen ...")
        await checkView(page)
      }
      // A refusal is said in German, with the sentence of the problem's kind.
      await openTab(page, id, "administrators")
      await page.getByLabel("Kennung des Administrators").fill(owner.id)
      await page.getByRole("button", { name: "Hinzufügen" }).click()
      const sentence = "Der Server hat abgelehnt (400). Der Administrator gehört schon zur Organisation."
      await page.getByText(sentence, { exact: true }).waitFor()
      await page.getByLabel("Sprache").selectOption("English")
      await page.getByRole("heading", { name: "Administrators", exact: true }).first().waitFor()
      assert.strictEqual(await page.locator("html").getAttribute("lang"), "en")
    })
  })

  it("is without a fault in the light, where one button at most is filled, and those that destroy have a colour", async () => {
    const filled: Record<string, unknown> = {}
    await visitAsOwner({ ...DESKTOP, fragment: addressOf(id) }, async (page) => {
      await leaveMuster(page)
      for (const tab of TABS) {
        await openTab(page, id, tab)
        await page.locator("main h2").first().waitFor()
        await loaded(page)
        if (tab === "areas" || tab === "administrators" || tab === "details") filled[tab] = await page.evaluate(FILLED)
        await show(page, tab)
        await checkView(page)
      }
      const [destroys, other] = [
        await styleOf(page, "Request the deletion", "color"),
        await styleOf(page, "Sign out", "color")
      ]
      assert.notStrictEqual(destroys, other)
      await openTab(page, id)
      await page.emulateMedia({ forcedColors: "active" })
      await page.getByRole("button", { name: "Today" }).click()
      await page.getByRole("button", { name: "Today", pressed: true }).waitFor()
      const backgrounds = ["Today", "90 days"].map((text) => styleOf(page, text, "backgroundColor"))
      assert.notStrictEqual(await backgrounds[0], await backgrounds[1])
      await page.emulateMedia({ forcedColors: "none" })
      await page.getByRole("button", { name: "Sign out", exact: true }).click()
      await page.getByLabel("Password").waitFor()
      filled["sign-in"] = await page.evaluate(FILLED)
      await checkView(page)
    })
    assert.deepStrictEqual(filled, {
      areas: ["New place"],
      administrators: ["Add"],
      details: ["Save"],
      "sign-in": ["Sign in"]
    })
  })

  it("has the times of the region, in English too, and lies from right to left where the language does", async () => {
    await visitAsOwner({ ...DESKTOP, locale: "it-IT", fragment: addressOf(id) }, async (page) => {
      await page.getByText(/^Iniziat.* \d\d:\d\d:\d\d$/).waitFor()
      assert.strictEqual(await page.locator("html").getAttribute("lang"), "it")
      await leaveMuster(page, "Torna alla panoramica")
      await page.getByRole("combobox", { name: "Lingua" }).selectOption("English")
      await page.getByRole("link", { name: "Muster", exact: true }).click()
      await page.getByText(/^Started by .* \d\d:\d\d:\d\d$/).waitFor()
    })
    await visitAsOwner({ ...DESKTOP, fragment: addressOf(id) }, async (page) => {
      await speakFromRightToLeft(page)
      await leaveMuster(page)
      await page.getByRole("combobox", { name: "Language" }).selectOption("Italiano")
      await until(() => page.locator("html").getAttribute("dir")).toBe("rtl")
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 })
        for (const selector of width === 320 ? ["header .menu"] : ["header strong", "nav.rail a"]) {
          const { x, width: own } = (await page.locator(selector).first().boundingBox())!
          assert.isAbove(x + own / 2, width / 2)
        }
        for (const tab of TABS) {
          await openTab(page, id, tab)
          await page.locator("main h2").first().waitFor()
          if (width === 320) await checkView(page)
        }
      }
    })
  })
})

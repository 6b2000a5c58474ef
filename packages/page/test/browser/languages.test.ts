/** The page in other languages, regions, directions and colours than those of its authors. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { addressOf, faultsOf, loaded, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const { owner, post, want, visitAsOwner, withPlaces } = await pageForThisFile()

/** The texts of the page in a language that is written from right to left: those of Italian, which the browser loads in their place. */
const speakFromRightToLeft = (page: Page) =>
  page.route(/\/page\/it-[A-Z0-9]+\.js$/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const body = text.replace(/direction:\s*"ltr"/, 'direction:"rtl"')
    assert.notStrictEqual(body, text)
    await route.fulfill({ response, body })
  })

describe.skipIf(missing !== undefined)("the page: languages and regions", { timeout: PATIENCE }, () => {
  it("speaks Italian and refuses in Italian, with 24 hours, also in English where the region has them", async () => {
    const { id } = await withPlaces()
    want(await post(owner, `/muster/organization/${id}`, { kind: "drill" }), 201)
    const visiting = { locale: "it-IT", fragment: addressOf(id), expected: /^400|status of 400/ }
    await visitAsOwner(visiting, async (page) => {
      await page.getByText(/^Iniziat.* \d\d:\d\d:\d\d$/).waitFor()
      assert.strictEqual(await page.locator("html").getAttribute("lang"), "it")
      await page.goto(`${page.url().split("#")[0]}#${addressOf(id, "administrators").slice(1)}`)
      await page.locator("form [name=administratorId]").fill(owner.id)
      await page.locator("form").getByRole("button").last().click()
      await page.getByText("L'amministratore è già associato all'organizzazione.").waitFor()
      assert.notMatch(await page.locator("main").innerText(), /already bound/)
      await page.getByRole("combobox", { name: "Lingua" }).selectOption("English")
      await page.goto(`${page.url().split("#")[0]}#${addressOf(id).slice(1)}`)
      await page.getByText(/^Started by .* \d\d:\d\d:\d\d$/).waitFor()
      assert.strictEqual(await page.locator("html").getAttribute("lang"), "en")
    })
  })

  it("refuses in German with the sentence of the problem's kind", async () => {
    const { id } = await withPlaces()
    const visiting = { locale: "de-DE", fragment: addressOf(id, "administrators"), expected: /^400|status of 400/ }
    await visitAsOwner(visiting, async (page) => {
      await page.getByLabel("Kennung des Administrators").fill(owner.id)
      await page.getByRole("button", { name: "Hinzufügen" }).click()
      await page
        .getByText("Der Server hat abgelehnt (400). Der Administrator gehört schon zur Organisation.", {
          exact: true
        })
        .waitFor()
    })
  })

  it("is laid out from right to left where the language is written so", async () => {
    const { id } = await withPlaces()
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 320, height: 700 }
    ]) {
      await visitAsOwner({ viewport, fragment: addressOf(id) }, async (page) => {
        await speakFromRightToLeft(page)
        await page.getByRole("combobox", { name: "Language" }).selectOption("Italiano")
        await until(() => page.locator("html").getAttribute("dir")).toBe("rtl")
        const middleOf = async (selector: string) => {
          const { x, width } = (await page.locator(selector).first().boundingBox())!
          return x + width / 2
        }
        const middle = viewport.width / 2
        assert.isAbove(await middleOf("header strong"), middle)
        assert.isAbove(await middleOf("nav.tabs a"), middle)
        assert.isFalse(await isTooWide(page))
        for (const name of ["areas", "administrators", "details"]) {
          await page.goto(`${page.url().split("#")[0]}#${addressOf(id, name).slice(1)}`)
          await page.locator("h2").first().waitFor()
          assert.isFalse(await isTooWide(page), name)
          assert.deepStrictEqual(await faultsOf(page), [])
        }
      })
    }
  })
})

/** A computed style of the button with this text. */
const styleOf = (page: Page, text: string, property: string): Promise<string> =>
  page.evaluate(
    `getComputedStyle([...document.querySelectorAll("button")].find((one) => one.textContent === "${text}")).${property}`
  )

/** Which buttons are filled with a colour and not pressed, and what colour the text of destructive ones has. */
const FILLED = `[...document.querySelectorAll("button")]
  .filter((button) => button.checkVisibility() && button.ariaPressed !== "true")
  .filter((button) => !["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(button).backgroundColor))
  .map(({ textContent }) => textContent)`

describe.skipIf(missing !== undefined)("the page: buttons", { timeout: PATIENCE }, () => {
  it("has one filled button at most in a view, and a colour of their own for those that destroy", async () => {
    const { id } = await withPlaces()
    const filled: Record<string, unknown> = {}
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      for (const name of [undefined, "areas", "administrators", "details"]) {
        await page.goto(`${page.url().split("#")[0]}#${addressOf(id, name).slice(1)}`)
        await page.locator("h2").first().waitFor()
        await loaded(page)
        filled[name ?? "overview"] = await page.evaluate(FILLED)
      }
      const colours = ["Request the deletion", "Sign out"].map((text) => styleOf(page, text, "color"))
      assert.notStrictEqual(await colours[0], await colours[1])
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Password").waitFor()
      filled["sign-in"] = await page.evaluate(FILLED)
    })
    assert.deepStrictEqual(filled, {
      overview: [],
      areas: ["New place"],
      administrators: ["Add"],
      details: ["Save"],
      "sign-in": ["Sign in"]
    })
  })

  it("shows what is pressed in forced colours", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ forcedColors: "active", fragment: addressOf(id) }, async (page) => {
      await page.getByRole("button", { name: "90 days", pressed: false }).waitFor()
      await page.getByRole("button", { name: "3 hours" }).click()
      await page.getByRole("button", { name: "3 hours", pressed: true }).waitFor()
      const colours = ["3 hours", "90 days"].map((text) => styleOf(page, text, "backgroundColor"))
      assert.notStrictEqual(await colours[0], await colours[1])
    })
  })
})

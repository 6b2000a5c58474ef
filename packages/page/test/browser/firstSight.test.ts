/** The first sight in Chromium: the whole and what is urgent, by the numbers; lists that are not cut; what is not there, withdrawn or slow. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import {
  addressOf,
  area,
  button,
  checkView,
  DESKTOP,
  loaded,
  missing,
  openTab,
  pageForThisFile,
  PATIENCE,
  row,
  until
} from "./visiting.ts"

const {
  sojourn,
  operator,
  owner,
  post,
  put,
  want,
  bind,
  organization,
  place,
  countBy,
  visit,
  visitAsOwner,
  withPlaces
} = await pageForThisFile()

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

/** The heights of the rows of the list, and its words that are cut. */
const ROW_HEIGHTS = "[...new Set([...document.querySelectorAll('.counts tbody tr')].map((row) => row.offsetHeight))]"
const CUT =
  "[...document.querySelectorAll('.counts thead th, .counts .badge')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
const total = (page: Page) => page.locator(".hero .total b").innerText()

/** An organization of 12 places: one is counted by a device, one is of a language that is written from right to left. */
const furnished = async () => {
  const { id } = await organization()
  const ids: Array<number> = []
  for (let n = 0; n < 12; n++) {
    const [west, south] = [11.05 + (n % 4) * 0.2, 45.05 + Math.floor(n / 4) * 0.3]
    const name = n === 0 ? "Hall" : n === 1 ? "قاعة المحاضرات الكبرى في الطابق الأول من المبنى الرئيسي" : `Room ${n}`
    ids.push((await place(id, area(west, south, west + 0.15, south + 0.2), { name })).id)
  }
  const hall = ids[0]!
  want(await put(owner, `/capacity/place/${hall}`, { capacity: 40 }), 200)
  want(await put(owner, `/capacity/organization/${id}`, { capacity: 100 }), 200)
  const device = { name: "Gate", premises: [{ placeId: hall }, { organization: true }] }
  const { token } = want(await post(owner, `/device/organization/${id}`, device), 201).json
  const count = async (into: number, out: number) => {
    for (const premises of [{ placeId: hall }, { organization: true }])
      want(await countBy(token, premises, into, out), 200)
  }
  return { id: id as number, count }
}

describe.skipIf(missing !== undefined)("the first sight", { timeout: PATIENCE }, () => {
  it("is the whole by its numbers and what is urgent, in few tab stops, and rows of one height in every language", async () => {
    const { id, count } = await furnished()
    await visitAsOwner({ ...DESKTOP, fragment: addressOf(id) }, async (page) => {
      await row(page, "Hall").waitFor()
      assert.strictEqual(await page.locator(".attention").count(), 0)
      // Whatever is said of counted people is of the number that stands above it.
      await page.evaluate(`(() => {
        globalThis.wrong = []
        new MutationObserver(() => {
          const [, counted, stays] = /^(\\d+) counted by devices, (\\d+) with/.exec(document.querySelector(".hero .counted")?.textContent ?? "") ?? []
          const all = document.querySelector(".hero .total b")?.textContent
          if (counted !== undefined && Number(counted) + Number(stays) !== Number(all)) wrong.push([counted, stays, all])
        }).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true })
      })()`)
      // The feed says over until 39, full until 38 and nearly full until 30.
      for (const [out, word] of [
        [0, "over capacity"],
        [1, "full"],
        [2, "nearly full"],
        [11, undefined],
        [3, "nearly full"],
        [0, "over capacity"]
      ] as const) {
        if (out === 3) await count(49, 12)
        else if (word === "over capacity" && (await total(page)) !== "0") await count(53, 12)
        else await count(41, out)
        await until(() => row(page, "Hall").locator(".badge").allInnerTexts()).toEqual(word === undefined ? [] : [word])
      }
      await page.getByText("41 counted by devices, 0 with a visit of their own").first().waitFor()
      assert.deepStrictEqual(await page.evaluate("wrong"), [])
      assert.strictEqual(await total(page), "41")
      const box = (await page.locator(".hero .total b").boundingBox())!
      assert.isBelow(box.y + box.height, (await page.locator(".columns").boundingBox())!.y)

      // What is urgent leads to the place.
      await page.locator(".attention").getByRole("button", { name: "Hall" }).click()
      await page.getByRole("heading", { name: "Hall", level: 2 }).waitFor()
      await page.keyboard.press("Escape")
      await button(page, "Close Hall").click()
      await page.locator(".skip").focus()
      let stops = 1
      for (; stops < 60; stops++) {
        await page.keyboard.press("Tab")
        if (await page.evaluate("document.activeElement === document.body")) break
      }
      assert.isAtMost(stops, 30)
      assert.isAbove(stops, 10)
      await checkView(page)

      const arabic = row(page, "قاعة المحاضرات الكبرى في الطابق الأول من المبنى الرئيسي").getByRole("button")
      for (const language of ["English", "Deutsch", "Italiano"]) {
        await page.locator("header select").selectOption(language)
        await page.locator(`html[lang=${language.slice(0, 2).toLowerCase()}]`).waitFor()
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 900 })
          assert.deepStrictEqual(await page.evaluate(ROW_HEIGHTS), [44], `${language} ${width}`)
          assert.deepStrictEqual(await page.evaluate(CUT), [], `${language} ${width}`)
          const bars = await page
            .locator(".counts .fullness")
            .evaluateAll((all) => all.map((one: any) => one.offsetWidth))
          assert.isAtLeast(Math.min(...bars), 30)
        }
        // Its beginning is at its right, and it is cut at its left.
        assert.deepStrictEqual(
          await arabic.evaluate((one: any) => {
            const { direction } = getComputedStyle(one)
            return [direction, one.scrollWidth > one.clientWidth, one.scrollLeft]
          }),
          ["rtl", true, 0]
        )
      }

      // A silent device shows in the overview and in the list of organizations.
      await page.setViewportSize(DESKTOP.viewport)
      await page.locator("header select").selectOption("English")
      want(await put(operator, `/operator/organization/${id}/policy`, { deviceSilentAfter: 1 }), 200)
      await page.getByRole("link", { name: "Silent devices: 1" }).waitFor()
      await page.getByRole("link", { name: "Organizations" }).click()
      const first = page.locator(".organizations li").first()
      // Its name may have the same digits.
      await first.locator(".total").getByText("41 / 100").waitFor()
      for (const text of ["Places over capacity: 1", "Silent devices: 1"]) await first.getByText(text).waitFor()
      await checkView(page)
      await page.locator("nav.rail a").focus()
      await first.getByRole("link").click()
      await page.getByRole("link", { name: "Silent devices: 1" }).click()
      await page.getByText("1 of 1 devices are silent").waitFor()
      // The bar is one tab stop, in which arrows lead.
      await page.locator("nav.rail a[aria-current]", { hasText: "Devices" }).focus()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.locator("nav.rail a[aria-current]", { hasText: "People" }).waitFor()
      assert.strictEqual(await page.locator("nav.rail a[tabindex='0']").count(), 1)
    })
  })

  it("says what is not there, withdrawn, empty or slow, and leads to the first place in one press", async () => {
    const { id, name } = await withPlaces()
    const { id: empty } = await organization()
    const guest = await bind(id, sojourn.administrator("a-guest"), "manager")
    const token = await guest.token
    await visit({ fragment: `#token=${token}&organization=999999`, expected: /403/ }, async (page) => {
      await page.getByText("There is no organization 999999, or it is not yours.").waitFor()
      assert.strictEqual(await page.getByRole("heading", { level: 1, name }).count(), 0)
      await page.getByRole("link", { name }).click()
      await page.getByRole("heading", { level: 1, name }).waitFor()
      // The only organization is what the page begins with.
      await page.evaluate("location.hash = ''")
      await page.getByRole("heading", { level: 1, name }).waitFor()
      await openTab(page, id, "areas")
      await button(page, "New place").waitFor()
      // A changed level is no event.
      const update = { organizationId: id, administratorId: guest.id, permission: 1 }
      want(await sojourn.call(owner, "PATCH", "/administrator/updatepermission", { json: update }), 201)
      await page.locator("nav.rail a", { hasText: "Areas" }).waitFor({ state: "detached" })
      assert.strictEqual(await button(page, "New place").count(), 0)
      await page.locator(".permission").getByText("viewer", { exact: true }).waitFor()
    })
    await visitAsOwner({ ...PHONE, fragment: addressOf(empty) }, async (page) => {
      // An answer that never comes is waited for, and asked for again.
      let isHanging = true
      await page.route("**/history?*", (route) => (isHanging ? undefined : route.continue()))
      await page.clock.install()
      await page.reload()
      await page.getByLabel("Access token").fill(await owner.token)
      await button(page, "Sign in").last().click()
      await page.locator(".history .loading").waitFor()
      await page.clock.fastForward(10_000)
      await page.getByText("This takes longer than usual.").waitFor()
      isHanging = false
      await page.clock.fastForward(10_000)
      await page.locator(".history .loading").waitFor({ state: "detached" })
      await page.getByText("There are no places yet").waitFor()
      await loaded(page)
      await checkView(page)
      // The bar is behind its button, and goes when it has led somewhere.
      await button(page, "Navigation").click()
      await page.getByRole("link", { name: "Settings" }).waitFor()
      await checkView(page)
      await page.keyboard.press("Escape")
      await page.getByRole("link", { name: "Settings" }).waitFor({ state: "hidden" })
      await page.getByRole("link", { name: "Draw the first place" }).click()
      await page.locator("svg.drawing").waitFor()
    })
  })
})

/** The board and the door sign in Chromium: what they show on large and small screens, how they sign in, and without a connection. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { tcpProxy } from "../../../server/test/faults/TcpProxy.ts"
import { addressOf, area, checkView, loaded, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

const {
  sojourn,
  operator,
  owner,
  post,
  put,
  want,
  enter,
  leave,
  organization,
  place,
  visit,
  visitAsOwner,
  withBuilding,
  withPlaces
} = await pageForThisFile()
const user = sojourn.user("visitor")

const WIDE = { viewport: { width: 1920, height: 1080 } } as const
const PORTRAIT = { viewport: { width: 1080, height: 1920 } } as const

interface Display {
  readonly deviceId: number
  readonly token: string
}

/** A display of the whole organization. */
const displayOf = async (id: number): Promise<Display> => {
  const draft = { name: "Lobby", kind: "display", premises: [{ organization: true }] }
  return want(await post(owner, `/device/organization/${id}`, draft), 201).json
}

const remove = async ({ deviceId }: Display) => want(await sojourn.call(owner, "DELETE", `/device/${deviceId}`), 204)

const enterPlace = async (id: number): Promise<string> =>
  want(await enter(user, { kind: "place", id }), 201).json.exitToken

const capacityOf = async (premises: string, capacity: number) =>
  want(await put(owner, `/capacity/${premises}`, { capacity }), 200)

/** What is seen that can be operated. */
const controls = (page: Page) =>
  page.locator("a, button, input, select, summary, [tabindex], [role=button]").filter({ visible: true }).allInnerTexts()

/** The size of the number and of the smallest letters, by the height, and how wide the map or the list is, by the width. */
const measured = (page: Page) =>
  page.evaluate<{ readonly number: number; readonly least: number; readonly width: number }>(`(() => {
    const sizeOf = (one) => parseFloat(getComputedStyle(one).fontSize) / innerHeight
    const hasText = ({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== "")
    const texts = [...document.querySelectorAll(".board *")].filter(hasText)
    return {
      number: sizeOf(document.querySelector(".sum b")),
      least: Math.min(...texts.map(sizeOf)),
      width: document.querySelector(".map, .places").getBoundingClientRect().width / innerWidth
    }
  })()`)

/** A window that was resized is drawn a moment later. */
const checkSizes = (page: Page) =>
  until(async () => {
    const { number, least, width } = await measured(page)
    return [number >= 0.15, least >= 0.02, width >= 0.85]
  }).toEqual([true, true, true])

const schemeOf = (page: Page) => page.evaluate<string>("getComputedStyle(document.querySelector('.board')).colorScheme")

/** What the browser keeps. */
const kept = (page: Page) => page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")

/** A time zone in which it is so many o'clock now. */
const zoneAt = (hour: number): string => {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`
}

const said = (page: Page, text: string) => page.locator(".board").getByText(text, { exact: true }).first().waitFor()

describe.skipIf(missing !== undefined)("the board", { timeout: PATIENCE }, () => {
  it("shows numbers, words and a map by a display's token, from afar, until the display is removed", async () => {
    const { id, name, garden, gallery } = await withPlaces()
    await capacityOf(`place/${garden.id}`, 2)
    await capacityOf(`place/${gallery.id}`, 5)
    await capacityOf(`organization/${id}`, 2)
    const display = await displayOf(id)
    const proxy = await tcpProxy(sojourn.port)
    const asked = new Set<string>()
    const fragment = `#token=${display.token}&board=${id}&theme=dark`
    const at = `http://127.0.0.1:${proxy.port}`
    await visit({ ...WIDE, at, fragment, expected: /ERR_|failed,|401/ }, async (page) => {
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      page.on("request", (request) => asked.add(new URL(request.url()).pathname))
      assert.strictEqual(new URL(page.url()).hash, `#board=${id}&theme=dark`)
      await page.reload()
      await said(page, "room for 2 more")
      assert.strictEqual(await schemeOf(page), "dark")
      await page.getByRole("img", { name: /^Map of the areas/ }).waitFor()

      // Words go by the numbers alone: the level of alerts is still the one above.
      const exits: Array<string> = []
      for (const words of ["room for 1 more", "full", "1 over"]) {
        exits.push(want(await enter(user, { kind: "organization", id }), 201).json.exitToken)
        await said(page, words)
      }
      want(await leave(user, { kind: "organization", id }, exits.pop()!), 202)
      await page.locator(".sum.full b").getByText("2", { exact: true }).waitFor()
      for (let n = 0; n < 5; n++) await enterPlace(gallery.id)
      for (let n = 0; n < 3; n++) await enterPlace(garden.id)
      await until(() => page.locator("header li").allInnerTexts()).toEqual(["Garden\n1 over", "Gallery\nfull"])
      await until(() => page.locator(".labels text").allTextContents()).toContain("Gallery5full")

      for (const size of [WIDE.viewport, { width: 3840, height: 2160 }]) {
        await page.setViewportSize(size)
        await checkSizes(page)
      }
      await page.setViewportSize(WIDE.viewport)
      // Nothing can be operated until a pointer or a key moves.
      await until(() => controls(page)).toEqual([])
      await page.mouse.move(400, 500)
      await page.mouse.move(410, 510)
      await until(() => controls(page)).toEqual(["Leave"])
      await until(() => controls(page)).toEqual([])
      await page.keyboard.press("Escape")
      await until(() => page.evaluate("document.activeElement.textContent")).toBe("Leave")
      await checkView(page)

      await proxy.refuse()
      await page.getByText(/^as of \d\d:\d\d$/).waitFor()
      assert.strictEqual(await page.locator(".sum b").innerText(), "2")
      want(await enter(user, { kind: "organization", id }), 201)
      await proxy.listen()
      await page.locator(".sum b").getByText("3", { exact: true }).waitFor()
      await until(() => page.getByText(/^as of/).count()).toBe(0)

      // The display calls what it may, and nothing else: capacities of what was nearly full on the way.
      for (const path of asked)
        assert.match(
          path,
          /^\/($|page\/|favicon|organization\/\d+$|place\/organization\/|capacity\/|presence\/stream$|floorplans?\/)/
        )
      assert.include(asked, "/presence/stream")
      assert.include(await kept(page), display.token)
      await remove(display)
      await page.getByRole("heading", { name: "This display was removed" }).waitFor({ timeout: 10_000 })
      assert.notInclude(await kept(page), "sjd_")
      await checkView(page)
    })
    await proxy.close()
  })

  it("shows a place on a door sign, upright too, and says nothing of coming in without a connection", async () => {
    const { id, garden } = await withPlaces()
    await capacityOf(`place/${garden.id}`, 2)
    const display = await displayOf(id)
    const proxy = await tcpProxy(sojourn.port)
    const fragment = `#token=${display.token}&board=${id}&place=${garden.id}&theme=light`
    await visit(
      { ...PORTRAIT, at: `http://127.0.0.1:${proxy.port}`, fragment, expected: /ERR_|failed,/ },
      async (page) => {
        const word = page.locator(".word")
        const colour = () => page.evaluate<string>("getComputedStyle(document.querySelector('.sign')).backgroundColor")
        await word.getByText("Come in", { exact: true }).waitFor()
        await page.getByRole("heading", { name: "Garden", level: 1 }).waitFor()
        await said(page, "room for 2 more")
        const green = await colour()
        await checkView(page)
        await enterPlace(garden.id)
        const exit = await enterPlace(garden.id)
        await word.getByText("Please wait", { exact: true }).waitFor()
        await said(page, "full")
        assert.notStrictEqual(await colour(), green)
        for (const { viewport } of [WIDE, PORTRAIT]) {
          await page.setViewportSize(viewport)
          const { left, right } = await word.evaluate((one: any) => {
            const { document } = one.ownerDocument.defaultView
            const range = document.createRange()
            range.selectNodeContents(one)
            return range.getBoundingClientRect().toJSON()
          })
          assert.isTrue(left >= 0 && right <= viewport.width)
          await checkView(page)
        }
        await proxy.refuse()
        await page.getByText(/^as of \d\d:\d\d$/).waitFor()
        assert.isFalse(await word.isVisible())
        assert.strictEqual(await page.locator(".sum b").innerText(), "2")
        want(await leave(user, { kind: "place", id: garden.id }, exit), 202)
        await proxy.listen()
        await word.getByText("Come in", { exact: true }).waitFor()
        want(await sojourn.call(owner, "DELETE", `/place/${garden.id}`), 205)
        await said(page, "There is no such place any more.")
      }
    )
    await proxy.close()
  })

  it("opens for administrators from the overview, is dark at night, shows the pressing level, or many places in a list", async () => {
    const { id, library, ground } = await withBuilding()
    await capacityOf(`place/${ground}`, 2)
    await capacityOf(`place/${library}`, 1)
    await enterPlace(library)
    const setZone = async (timeZone: string) =>
      want(await put(operator, `/operator/organization/${id}/policy`, { timeZone }), 200)
    const { id: large } = await organization()
    for (let n = 0; n < 61; n++) {
      const [west, south] = [11.01 + (n % 12) * 0.08, 45.01 + Math.floor(n / 12) * 0.08]
      const { id } = await place(large, area(west, south, west + 0.05, south + 0.06), { name: `Room ${n + 1}` })
      if (n === 60) await capacityOf(`place/${id}`, 1)
      if (n === 60) await enterPlace(id)
    }
    await setZone(zoneAt(12))
    const display = await displayOf(large)
    await visitAsOwner({ ...WIDE, fragment: addressOf(id), expected: /40[34]/ }, async (page) => {
      await page.getByRole("link", { name: "Board", exact: true }).click()
      await page.getByRole("img", { name: "Map of the areas, Level 1" }).waitFor()
      assert.deepStrictEqual(await page.locator(".levels li").allInnerTexts(), ["Level 0", "Level 1"])
      assert.strictEqual(await schemeOf(page), "light")
      await checkView(page)
      await setZone(zoneAt(22))
      await page.evaluate("dispatchEvent(new HashChangeEvent('hashchange'))")
      await page.keyboard.press("Escape")
      await page.keyboard.press("Enter")
      await page.getByRole("link", { name: "Board", exact: true }).click()
      await page.getByRole("img", { name: "Map of the areas, Level 1" }).waitFor()
      await until(() => schemeOf(page)).toBe("dark")

      // A session shows boards as well, and the link of a display changes nothing of it.
      await page.evaluate(`location.hash = "token=${display.token}&board=${large}&theme=light"`)
      const rooms = page.locator(".places li")
      await rooms.first().getByText("Room 61", { exact: true }).waitFor()
      await rooms
        .last()
        .getByText(/^and \d+ more$/)
        .waitFor()
      await checkSizes(page)
      await checkView(page)
      assert.notInclude(page.url(), "sjd_")
      await page.evaluate(`location.hash = "organization=${id}"`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await loaded(page)
      await page.evaluate(`location.hash = "board=999999"`)
      await said(page, "There is no such organization, or this screen may not show it.")
    })
  })

  it("shows its levels by turns", async () => {
    const { id } = await withBuilding()
    await visitAsOwner({ ...WIDE, reducedMotion: "no-preference" }, async (page) => {
      await page.clock.install()
      await page.goto(`${sojourn.baseUrl}/?turning#token=${await owner.token}&board=${id}`)
      const map = (level: number) => page.getByRole("img", { name: `Map of the areas, Level ${level}` })
      for (const level of [0, 1, 0, 1]) {
        await map(level).waitFor()
        await page.locator(".levels [aria-current]", { hasText: `Level ${level}` }).waitFor()
        await page.clock.fastForward(20_000)
      }
    })
  })
})

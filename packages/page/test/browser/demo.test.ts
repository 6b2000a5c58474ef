/** The page of `sojourn serve --demo`. `npm run page` writes its pictures into `docs/images`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launch, troubles } from "../../../../site/browser/Chromium.ts"
import { program } from "../../../server/test/faults/SojournProcess.ts"
import { answer, DESKTOP, missing, PATIENCE } from "./visiting.ts"

const isAsked = process.env["SOJOURN_PAGE_PICTURES"] === "1"

/** A picture of at most so many bytes. */
const LARGEST = 120_000

const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true } as const

const PICTURES: ReadonlyArray<readonly [name: string, options: BrowserContextOptions]> = [
  ["page-light", { ...DESKTOP, colorScheme: "light" }],
  ["page-dark", { ...DESKTOP, colorScheme: "dark" }],
  ["page-phone", PHONE]
]

const WALL = { viewport: { width: 1280, height: 720 } } as const
interface PicturedBoard {
  readonly name: string
  readonly options: BrowserContextOptions
  readonly theme: "light" | "dark"
  readonly place?: string
}

const BOARDS: ReadonlyArray<PicturedBoard> = [
  { name: "board", options: WALL, theme: "light" },
  { name: "board-dark", options: WALL, theme: "dark" },
  { name: "sign", options: { viewport: { width: 450, height: 800 } }, theme: "light", place: "Cafeteria" }
]

/** A picture of what a page shows, as WebP: the browser that took it encodes it. */
const pictureOf = async (page: Page, browser: Browser): Promise<Buffer> => {
  const png = (await page.screenshot({ animations: "disabled" })).toString("base64")
  const encoder = await browser.newPage()
  try {
    const url = await encoder.evaluate<string>(`(async () => {
      const image = new Image()
      image.src = "data:image/png;base64,${png}"
      await image.decode()
      const canvas = document.createElement("canvas")
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext("2d").drawImage(image, 0, 0)
      return canvas.toDataURL("image/webp", 0.85)
    })()`)
    return Buffer.from(url.slice(url.indexOf(",") + 1), "base64")
  } finally {
    await encoder.close()
  }
}

describe.skipIf(missing !== undefined)("the page of the demo", { timeout: PATIENCE }, () => {
  const data = mkdtempSync(join(tmpdir(), "sojourn-page-"))
  let server: ReturnType<typeof program>
  let browser: Browser
  let link = ""
  let url = ""

  beforeAll(async () => {
    server = program("serve", "--demo", "--storage", "memory", "--port", "0", "--data", data)
    url = await server.listening
    link = /^Open the page: +(\S+)$/m.exec(server.said())![1]!
    browser = await launch()
  }, PATIENCE)
  afterAll(async () => {
    await browser?.close()
    await server?.end()
    rmSync(data, { recursive: true, force: true })
  })

  /** Works on the page that the link leads to, once it is alive. */
  const open = async (options: BrowserContextOptions, work: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options })
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const seen = troubles(page)
      await page.goto(link)
      await page.locator(".status.live").waitFor()
      await page.getByRole("heading", { name: "Demo Campus", level: 1 }).waitFor()
      await page.getByRole("button", { name: /^Library: \d+ inside/ }).waitFor()
      await work(page)
      assert.deepStrictEqual(seen, [])
    } finally {
      await context.close()
    }
  }

  const writePicture = async (page: Page, name: string) => {
    const picture = await pictureOf(page, browser)
    assert.isAtMost(picture.length, LARGEST)
    writeFileSync(new URL(`../../../../docs/images/${name}.webp`, import.meta.url), picture)
  }

  it.runIf(isAsked).each(PICTURES)("is pictured: %s", (name, options) =>
    open(options, (page) => writePicture(page, name))
  )

  it.runIf(isAsked).each(BOARDS)("is pictured: $name", ({ name, options, theme, place }) =>
    open(options, async (page) => {
      const fragment = new URLSearchParams(link.slice(link.indexOf("#") + 1))
      const organizationId = fragment.get("organization")!
      const headers = { authorization: `Bearer ${fragment.get("token")}` }
      const response = await fetch(`${url}/place/organization/${organizationId}`, { headers })
      const places = (await response.json()) as ReadonlyArray<{ readonly id: number; readonly name: string }>
      const shown = places.find((one) => one.name === place)
      const at = shown === undefined ? "" : `&place=${shown.id}`
      await page.evaluate(`location.hash = "board=${organizationId}${at}&theme=${theme}"`)
      await page
        .locator(place === undefined ? ".board .labels text" : ".board .word")
        .first()
        .waitFor()
      await writePicture(page, name)
    })
  )

  it.runIf(isAsked)("is pictured: the busiest minute of the day", () =>
    open(DESKTOP, async (page) => {
      await page.getByRole("button", { name: "Busiest", exact: true }).click()
      await page.locator(".columns.past").waitFor()
      await writePicture(page, "replay")
    })
  )

  it.runIf(isAsked)("is pictured: a muster, wide and on a phone", () =>
    open(DESKTOP, async (page) => {
      await page.getByRole("link", { name: "Muster", exact: true }).click()
      await page.getByRole("button", { name: "Start", exact: true }).click()
      await page.locator(".muster-head .ring, .muster-head svg").first().waitFor()
      await writePicture(page, "muster")
      await page.setViewportSize(PHONE.viewport)
      await page.emulateMedia({ colorScheme: PHONE.colorScheme })
      await writePicture(page, "muster-phone")
      await page.getByRole("button", { name: "End the muster" }).click()
      await answer(page, "End the muster")
    })
  )

  it("stays signed in when it is loaded again, in its tab alone, also by a link that replaces the session", () =>
    open({}, async (page) => {
      // Each place on the map has a name.
      const named = ".labels text:has(.name)"
      await page.locator(named).first().waitFor()
      const places = await page.locator(".map .area:not(.whole)").count()
      assert.deepStrictEqual([places, await page.locator(named).count()], [13, places])
      const token = new URLSearchParams(link.slice(link.indexOf("#") + 1)).get("token")!
      await page.reload()
      await page.getByRole("heading", { name: "Demo Campus", level: 1 }).waitFor()
      assert.notInclude(await page.evaluate("JSON.stringify({ ...localStorage }) + location.href"), token)
      const other = await page.context().newPage()
      await other.goto(url)
      await other.getByLabel("Access token").waitFor()
      await other.close()
      const viewer = /^VIEWER_TOKEN='(.+)'$/m.exec(readFileSync(join(data, "demo-commands.sh"), "utf8"))![1]!
      await page.goto("about:blank")
      await page.goto(`${url}/#token=${viewer}`)
      await page.getByRole("button", { name: "Use the token of the link" }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.reload()
      await page.locator(".status.live").waitFor()
      const kept = await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")
      assert.deepStrictEqual([kept.includes(viewer), kept.includes(token)], [true, false])
    }))
})

/** The page of `sojourn serve --demo`. `npm run page` prints its figures, and writes its pictures into `docs/images`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isTooWide, launch, troubles } from "../../../../site/browser/Chromium.ts"
import { program } from "../../../server/test/faults/SojournProcess.ts"
import { CONDITIONS, type Figures, figuresOf, under } from "./figures.ts"
import { faultsOf, missing, PATIENCE } from "./visiting.ts"

const isAsked = process.env["SOJOURN_PAGE_REPORT"] === "1"

/** A picture of at most so many bytes. */
const LARGEST = 120_000

const VISITS: ReadonlyArray<readonly [name: string, options: BrowserContextOptions]> = [
  ["page-light", { viewport: { width: 1280, height: 860 }, colorScheme: "light" }],
  ["page-dark", { viewport: { width: 1280, height: 860 }, colorScheme: "dark" }],
  ["page-phone", { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true }]
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

const MINUTE = 60_000

/** A demo that has just begun has no history: the pictures show one of a morning that fills. */
const plantHistory = (page: Page) =>
  page.route("**/history?*", (route) => {
    const now = Math.floor(Date.now() / MINUTE)
    const json = Array.from({ length: 180 }, (_, n) => {
      const average = 160 * (1 - Math.exp(-n / 45)) + 9 * Math.sin(n / 7) * Math.min(1, n / 30)
      const inside = Math.max(Math.round(average), 0)
      const from = new Date((now - 179 + n) * MINUTE).toISOString()
      return { from, entered: 4, left: 3, least: Math.max(inside - 5, 0), most: inside + 4, average: inside }
    })
    return route.fulfill({ json })
  })

describe.skipIf(missing !== undefined)("the page of the demo", () => {
  const data = mkdtempSync(join(tmpdir(), "sojourn-page-"))
  let server: ReturnType<typeof program>
  let browser: Browser
  let link = ""

  beforeAll(async () => {
    server = program("serve", "--demo", "--storage", "memory", "--port", "0", "--data", data)
    await server.listening
    link = /^Open the page: +(\S+)$/m.exec(server.said())![1]!
    browser = await launch()
  }, PATIENCE)
  afterAll(async () => {
    await browser?.close()
    await server?.end()
    rmSync(data, { recursive: true, force: true })
  })

  const open = async (options: BrowserContextOptions, before: (page: Page) => Promise<void> = async () => {}) => {
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const seen = troubles(page)
    await before(page)
    await page.goto(link)
    await page.locator(".status.live").waitFor()
    await page.getByRole("heading", { name: "Demo Campus", level: 1 }).waitFor()
    await page.getByRole("button", { name: /^Library: \d+ inside/ }).waitFor()
    return { context, page, seen }
  }

  it.each(VISITS)(
    "is alive, without a fault that axe-core finds, and as wide as its window: %s",
    async (name, options) => {
      const { context, page, seen } = await open(options, async (page) => {
        if (isAsked) await plantHistory(page)
      })
      try {
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isFalse(await isTooWide(page))
        if (isAsked) {
          const picture = await pictureOf(page, browser)
          assert.isAtMost(picture.length, LARGEST)
          writeFileSync(new URL(`../../../../docs/images/${name}.webp`, import.meta.url), picture)
        }
        assert.deepStrictEqual(seen, [])
      } finally {
        await context.close()
      }
    },
    PATIENCE
  )

  it.runIf(isAsked)(
    "costs its visitors this much",
    async () => {
      const rows: Array<readonly [name: string, figures: Figures, faults: number]> = []
      for (const conditions of CONDITIONS) {
        const { context, page } = await open({ viewport: { width: 390, height: 844 } }, (page) =>
          under(page, conditions)
        )
        rows.push([conditions.name, await figuresOf(page), (await faultsOf(page)).length])
        await context.close()
      }
      const lines = rows.map(([name, { paint, live, shift, requests, bytes }, faults]) =>
        [name, paint.toFixed(0), live.toFixed(0), shift.toFixed(3), requests, bytes, faults].join(" | ")
      )
      console.log(
        [
          "| Visitor | First paint, ms | Counts live, ms | Layout shift | Requests | Bytes | Faults of axe |",
          "| - | - | - | - | - | - | - |",
          ...lines.map((line) => `| ${line} |`)
        ].join("\n")
      )
    },
    PATIENCE
  )
})

/** The page of `sojourn serve --demo`. `npm run page` prints its figures, and writes its pictures into `docs/images`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
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
  ["page-light", { viewport: { width: 1280, height: 900 }, colorScheme: "light" }],
  ["page-dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }],
  ["page-phone", { viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true }]
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
      const { context, page, seen } = await open(options)
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
    }
  )

  it("stays signed in when it is loaded again, in its tab alone, and asks before a link with another token replaces that session", async () => {
    const { context, page, seen } = await open({})
    try {
      const token = new URLSearchParams(link.slice(link.indexOf("#") + 1)).get("token")!
      for (let loads = 0; loads < 2; loads++) {
        await page.reload()
        await page.getByRole("heading", { name: "Demo Campus", level: 1 }).waitFor()
      }
      assert.notInclude(await page.evaluate("JSON.stringify({ ...localStorage }) + location.href"), token)
      const other = await context.newPage()
      await other.goto(url)
      await other.getByLabel("Access token").waitFor()
      await other.close()

      const viewer = /^VIEWER_TOKEN='(.+)'$/m.exec(readFileSync(join(data, "demo-commands.sh"), "utf8"))![1]!
      const dialog = page.getByRole("dialog", { name: "Replace your session?" })
      for (const choice of ["Stay signed in as now", "Use the token of the link"]) {
        await page.goto("about:blank")
        await page.goto(`${url}/#token=${viewer}`)
        await dialog.waitFor()
        for (const whose of ["demo-owner", "demo-viewer"]) assert.include(await dialog.innerText(), whose)
        await dialog.getByRole("button", { name: choice }).click()
        await dialog.waitFor({ state: "detached" })
      }
      await page.reload()
      await page.locator(".status.live").waitFor()
      const kept = await page.evaluate<string>("JSON.stringify({ ...sessionStorage })")
      assert.deepStrictEqual([kept.includes(viewer), kept.includes(token)], [true, false])
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.reload()
      await page.getByLabel("Access token").waitFor()
      assert.deepStrictEqual(seen, [])
    } finally {
      await context.close()
    }
  })

  it.runIf(isAsked)("costs its visitors this much", async () => {
    const rows: Array<readonly [name: string, figures: Figures, faults: number]> = []
    for (const conditions of CONDITIONS) {
      const { context, page } = await open({ viewport: { width: 390, height: 844 } }, (page) => under(page, conditions))
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
  })
})

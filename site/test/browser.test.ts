/** The built site in Chromium without a network: every page, search, contrast and widths. */
import type { AddressInfo } from "node:net"
import axe from "axe-core"
import type { Browser, Page } from "playwright-core"
import { serve } from "vitepress"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { run } from "../blocks/processes.ts"
import { isTooWide, launch, missing, troubles } from "../browser/Chromium.ts"
import { at, filesBelow, isFile } from "../pages/repository.ts"
import { document, operations } from "../reference/document.ts"
import { type Running, startSojourn } from "../sojourn.ts"

const PATIENCE = 600_000

let browser: Browser
let site: { readonly url: string }
let sojourn: Running

/** What has to end with the tests, also when the next thing could not be started. */
const opened = new AsyncDisposableStack()

beforeAll(async () => {
  if (missing !== undefined) return
  const { code, output } = await run(process.execPath, ["--conditions=source", at("site/build.ts")], {
    cwd: at("site"),
    patience: PATIENCE
  })
  assert.strictEqual(code, 0, output)
  browser = await launch()
  opened.defer(() => browser.close())
  sojourn = opened.use(await startSojourn())
  const { server } = await serve({ root: at("site"), port: 0 })
  opened.defer(() => void server.close())
  site = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}, PATIENCE)

afterAll(() => opened.disposeAsync(), PATIENCE)

/** Opens a page, works on it, and sees that nothing went wrong meanwhile. */
const visit = async (
  url: string,
  options: Parameters<Browser["newPage"]>[0],
  work: (page: Page) => Promise<void>
): Promise<void> => {
  const page = await browser.newPage(options)
  try {
    const seen = troubles(page)
    await page.goto(url, { waitUntil: "networkidle" })
    await work(page)
    assert.deepStrictEqual(seen, [], url)
  } finally {
    await page.close()
  }
}

describe.skipIf(missing !== undefined)("the site, in a browser without a network", () => {
  it(
    "shows every page without an error, and no page scrolls sideways on a phone",
    async () => {
      const pages = filesBelow("site/.cache/pages", (path) => path.endsWith(".md")).map((path) =>
        path.slice("site/.cache/pages/".length).replace(/\.md$/, ".html")
      )
      assert.isAbove(pages.length, 50)
      const page = await browser.newPage({ viewport: { width: 375, height: 740 } })
      const seen = troubles(page)
      for (const path of pages) {
        assert.isTrue(isFile(`site/dist/${path}`), path)
        await page.goto(`${site.url}/${path}`)
        assert.notStrictEqual((await page.locator("h1").first().innerText()).trim(), "", path)
        assert.isFalse(await isTooWide(page), path)
      }
      assert.deepStrictEqual(seen, [])
      await page.close()
    },
    PATIENCE
  )

  it(
    "finds words",
    () =>
      visit(`${site.url}/`, {}, async (page) => {
        await page.locator("#local-search button, .VPNavBarSearch button").first().click()
        await page.locator(".VPLocalSearchBox input").fill("Idempotency-Key")
        const first = page.locator(".VPLocalSearchBox .results .result").first()
        await first.waitFor()
        await first.click()
        await page.waitForURL((url) => url.pathname !== "/")
        await page.locator("main", { hasText: "Idempotency-Key" }).waitFor()
      }),
    PATIENCE
  )

  it(
    "leads from page to page by its sidebar",
    () =>
      visit(`${site.url}/overview.html`, { viewport: { width: 1400, height: 900 } }, async (page) => {
        await page.locator(".VPSidebar a", { hasText: "Glossary" }).click()
        await page.waitForURL(/glossary/)
        // The address changes first, and the page when it is there.
        await page.locator("h1", { hasText: "Glossary" }).waitFor()
        assert.isFalse(await isTooWide(page))
      }),
    PATIENCE
  )

  it(
    "shows every operation in the HTTP reference",
    async () => {
      let shown = ""
      const page = await browser.newPage()
      for (const path of filesBelow("site/dist/reference", (path) => path.endsWith(".html"))) {
        await page.goto(`${site.url}${path.slice("site/dist".length)}`)
        shown += `\n${await page.locator("main").innerText()}`
      }
      await page.close()
      for (const [method, path] of operations(document)) assert.include(shown, `\n${method} ${path}\n`)
    },
    PATIENCE
  )

  it.each(["light", "dark"] as const)(
    "is legible in %s",
    (colorScheme) =>
      visit(`${site.url}/http.html`, { colorScheme }, async (page) => {
        assert.strictEqual(await page.locator("html.dark").count(), colorScheme === "dark" ? 1 : 0)
        const parts = ["main p", "main td", "main h2", ".VPSidebar a"]
        for (const part of parts) assert.isAbove(await page.locator(part).count(), 0, part)
        await page.evaluate(axe.source)
        const options = JSON.stringify({ runOnly: ["color-contrast"] })
        const { violations, passes } = await page.evaluate<axe.AxeResults>(
          `axe.run({ include: ${JSON.stringify(parts)} }, ${options})`
        )
        assert.deepStrictEqual(violations, [])
        assert.isNotEmpty(passes)
      }),
    PATIENCE
  )

  it.each(["", "overview.html"])(
    "shows the pictures of /%s",
    (path) =>
      visit(`${site.url}/${path}`, {}, async (page) => {
        const widths = await page
          .locator(".VPContent img")
          .evaluateAll((all) => all.map((one: any) => one.naturalWidth))
        assert.isNotEmpty(widths)
        for (const width of widths) assert.isAbove(width, 0)
      }),
    PATIENCE
  )
})

describe.skipIf(missing !== undefined)("what goes wrong on a page is seen", () => {
  it(
    "a request that leaves this machine, an error, and a page that is too wide",
    async () => {
      const page = await browser.newPage()
      const seen = troubles(page)
      await page.goto(`${site.url}/`)
      await page.evaluate("fetch('https://fonts.example.org/a.woff2').catch(() => undefined)")
      await page.evaluate("console.error('planted')")
      assert.include(seen, "outside: https://fonts.example.org/a.woff2")
      assert.include(seen, "console: planted")
      await page.evaluate("document.body.style.width = '9000px'")
      assert.isTrue(await isTooWide(page))
      await page.close()
    },
    PATIENCE
  )
})

describe.skipIf(missing !== undefined)("a server's own /docs, in a browser without a network", () => {
  it(
    "shows the operations",
    () =>
      visit(`${sojourn.url}/docs`, {}, async (page) => {
        await page.getByText("Read an organization").first().waitFor()
      }),
    PATIENCE
  )
})

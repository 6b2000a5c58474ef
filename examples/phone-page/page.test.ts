/** The page in a real browser that is taken for a walk: its location is set by the browser's developer protocol. */
import { NodeServices } from "@effect/platform-node"
import { Effect, Exit, Scope } from "effect"
import type { Browser, CDPSession, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { launch, missing } from "../../site/browser/Chromium.ts"
import { servePhonePage } from "./serving.ts"

const HOME = [45.4064, 11.8768] as const
const PATIENCE = 300_000
const MINUTE = 60_000

/** A clock that the test moves, of the browser and of the server: an hour takes no hour. */
const realNow = Date.now
let ahead = 0

/** In the page: its clock, and what else tells the time there. */
const movedClock = `
  const now = Date.now
  Date.now = () => now() + Number(sessionStorage.getItem("ahead") ?? 0)
  const watch = navigator.geolocation.watchPosition.bind(navigator.geolocation)
  navigator.geolocation.watchPosition = (found, ...rest) =>
    watch(({ coords }) => found({ coords, timestamp: Date.now() }), ...rest)
  const fetched = fetch
  globalThis.fetch = async (...request) => {
    const response = await fetched(...request)
    const headers = new Headers(response.headers)
    const ahead = Number(sessionStorage.getItem("ahead") ?? 0)
    if (headers.has("date")) headers.set("date", new Date(Date.parse(headers.get("date")) + ahead).toUTCString())
    return new Response(response.status === 204 ? null : await response.text(), { status: response.status, headers })
  }
`

describe.skipIf(missing !== undefined)("the page of a phone", () => {
  const scope = Scope.makeUnsafe()
  let browser: Browser
  let served: { readonly url: string; readonly inside: () => Promise<number> }

  beforeAll(async () => {
    Date.now = () => realNow() + ahead
    browser = await launch()
    const serving = servePhonePage(HOME).pipe(Scope.provide(scope), Effect.provide(NodeServices.layer))
    const { url, counter } = await Effect.runPromise(serving)
    served = { url, inside: async () => (await Effect.runPromise(counter)).counter }
  }, PATIENCE)

  afterAll(async () => {
    Date.now = realNow
    await browser?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const text = (page: Page, id: string) => page.locator(`#${id}`).innerText()

  /** Moves the clocks on. */
  const pass = async (page: Page, milliseconds: number) => {
    ahead += milliseconds
    await page.evaluate(`sessionStorage.setItem("ahead", "${ahead}")`)
  }

  /** Stays so many degrees north of home for some fixes, ten seconds after each other. */
  const stay = async (page: Page, device: CDPSession, north: number, fixes: number) => {
    for (let fix = 0; fix < fixes; fix++) {
      const before = Number(await text(page, "positions"))
      await pass(page, 10_000)
      await device.send("Emulation.setGeolocationOverride", {
        latitude: HOME[0] + north + 1e-6 * (fix % 2),
        longitude: HOME[1],
        accuracy: 5
      })
      await expect.poll(async () => Number(await text(page, "positions")), { timeout: 20_000 }).toBeGreaterThan(before)
    }
  }

  it(
    "tells of a walk in, an hour inside and a walk out, across a reload and a lost network",
    async () => {
      const context = await browser.newContext({ permissions: ["geolocation"] })
      await context.addInitScript(movedClock)
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const device = await context.newCDPSession(page)
      const open = async (load: () => Promise<unknown>) => {
        await device.send("Emulation.setGeolocationOverride", {
          latitude: HOME[0] + (ahead === 0 ? 0.02 : 0),
          longitude: HOME[1],
          accuracy: 5
        })
        await load()
        await page.getByText("following").waitFor()
        await expect.poll(() => text(page, "positions"), { timeout: 20_000 }).not.toBe("0")
      }
      await open(() => page.goto(served.url))
      await stay(page, device, 0.02, 4)
      assert.strictEqual(await text(page, "inside"), "nothing")

      await stay(page, device, 0.003, 4)
      await stay(page, device, 0, 6)
      assert.match(await text(page, "inside"), /organization \d+, place \d+/)
      await expect.poll(() => text(page, "waiting"), { timeout: 20_000 }).toBe("0")
      assert.strictEqual(await served.inside(), 1)

      await pass(page, 30 * MINUTE)
      await open(() => page.reload())
      assert.match(await text(page, "inside"), /place/)
      await stay(page, device, 0, 4)
      await pass(page, 30 * MINUTE)
      await stay(page, device, 0, 4)
      assert.strictEqual(await served.inside(), 1)

      const network = (offline: boolean) =>
        device.send("Network.emulateNetworkConditions", {
          offline,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput: -1
        })
      await network(true)
      await stay(page, device, 0.003, 12)
      await stay(page, device, 0.02, 12)
      assert.strictEqual(await text(page, "inside"), "nothing")
      await expect.poll(() => text(page, "error"), { timeout: 20_000 }).toMatch(/cannot be reached/)
      assert.strictEqual(await text(page, "waiting"), "2")
      assert.strictEqual(await served.inside(), 1)
      await network(false)
      await expect.poll(() => text(page, "waiting"), { timeout: 60_000 }).toBe("0")
      assert.strictEqual(await served.inside(), 0)

      await page.getByText("List the completed stays").click()
      const rows = page.locator("#accesses li")
      await rows.first().waitFor()
      assert.strictEqual(await rows.count(), 1)
      const [entrance, exit] = (await rows.first().innerText()).match(/\d{4}-\S+Z/g)!.map((time) => Date.parse(time))
      assert.isAtLeast(exit! - entrance!, 60 * MINUTE)
      assert.isAtMost(exit! - entrance!, 70 * MINUTE)
      assert.strictEqual(await text(page, "refused"), "0")

      await page.getByText("Forget everything on this device").click()
      await expect.poll(() => page.evaluate("localStorage.length"), { timeout: 20_000 }).toBe(0)
      await context.close()
    },
    PATIENCE
  )
})

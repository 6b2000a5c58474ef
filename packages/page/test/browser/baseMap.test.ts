/** A base map from another origin in Chromium: the one request that may leave the page's origin. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, describe, it } from "vitest"
import { addressOf, count, faultsOf, missing, pageForThisFile, PATIENCE, until } from "./visiting.ts"

/** A map server: a tile of one pixel, everywhere. */
const requested: Array<string> = []
const server = createServer((request, response) => {
  requested.push(request.url!)
  assert.isUndefined(request.headers.referer)
  response.writeHead(200, { "content-type": "image/gif", "cache-control": "no-store" })
  response.end(Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64"))
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
afterAll(() => server.close())
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const { sojourn, visitAsOwner, withPlaces } = await pageForThisFile({
  page: { baseMap: { url: `${origin}/{z}/{x}/{y}.gif`, attribution: "A map of nowhere" } }
})

describe.skipIf(missing !== undefined)("a base map", { timeout: PATIENCE }, () => {
  it("is loaded from the operator's map server, below the areas", async () => {
    const { id } = await withPlaces()
    await visitAsOwner({ fragment: addressOf(id) }, async (page) => {
      await count(page, "Garden", 0)
      await page.getByText("A map of nowhere").waitFor()
      const tiles = await page.locator(".base-map image").count()
      assert.isAbove(tiles, 1)
      await until(() => requested.length).toBe(tiles)
      assert.deepStrictEqual(
        requested.filter((url) => !/^\/\d+\/\d+\/\d+\.gif$/.test(url)),
        []
      )
      assert.deepStrictEqual(await faultsOf(page), [])
    })
    await visitAsOwner({ fragment: addressOf(id, "areas") }, async (page) => {
      await page.getByRole("button", { name: "New place" }).click()
      await until(() => page.locator("svg.drawing .base-map image").count()).toBeGreaterThan(1)
      await page.getByText("A map of nowhere").waitFor()
    })
    const policy = (await fetch(sojourn.baseUrl)).headers.get("content-security-policy")!
    assert.include(policy, `img-src 'self' blob: ${origin};`)
    assert.include(policy, "connect-src 'self';")
  })
})

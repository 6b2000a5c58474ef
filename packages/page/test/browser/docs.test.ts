/** The page of the interface, `/docs`, in Chromium: it reads, tries operations, breaks no policy, and cannot be framed. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
import { isTooWide } from "../../../../site/browser/Chromium.ts"
import { IMAGES } from "../../../server/test/images.ts"
import { faultsOf, missing, pageForThisFile, PATIENCE } from "./visiting.ts"

const { sojourn, owner, visit, withPlaces, want, enter } = await pageForThisFile()

const docs = (id = "") => `docs${id === "" ? "" : `#${id}`}`

describe.skipIf(missing !== undefined)("/docs", { timeout: PATIENCE }, () => {
  it("tries an operation with a bearer token, and shows the whole answer", async () => {
    const { id, name } = await withPlaces()
    const requests: Array<string> = []
    await visit({ fragment: docs("organization.get"), expected: /40[01]/ }, async (page) => {
      page.on("request", (request) => requests.push(request.url()))
      const operation = page.locator("details[open]")
      await operation.getByLabel("organizationId").fill(String(id))
      await operation.getByRole("button", { name: "Send" }).click()
      await operation.getByText("401 Unauthorized").waitFor()
      await page.getByLabel("Bearer token").fill(await owner.token)
      await operation.getByRole("button", { name: "Send" }).click()
      await operation.getByText("200 OK").waitFor()
      const body = JSON.parse(await operation.locator("pre").last().innerText())
      assert.deepInclude(body, { id, name })
      assert.match(await operation.locator("pre").nth(-2).innerText(), /^x-request-id: /m)
      // By the keyboard alone.
      await operation.getByLabel("organizationId").fill("1x")
      await page.keyboard.press("Enter")
      await operation.getByText("400 Bad Request").waitFor()
    })
    for (const url of requests) assert.isTrue(url.startsWith(sojourn.baseUrl), url)
  })

  it("sends bodies and query parameters, and shows a stream as it comes", async () => {
    const { id } = await withPlaces()
    await visit({ fragment: docs("movement.trackOrganization") }, async (page) => {
      await page.getByLabel("Bearer token").fill(await sojourn.user("reader").token)
      const movement = page.locator('[id="movement.trackOrganization"]')
      const body = movement.getByRole("textbox", { name: "Body" })
      assert.deepEqual(JSON.parse(await body.inputValue()), { movementType: "entrance", organizationId: 1 })
      await body.fill(JSON.stringify({ movementType: "entrance", organizationId: id }))
      await movement.getByRole("button", { name: "Send" }).click()
      await movement.getByText("201 Created").waitFor()
      assert.strictEqual(JSON.parse(await movement.locator("pre").last().innerText()).organizationId, id)

      await page.getByLabel("Search").fill("/presence/stream")
      assert.strictEqual(await page.locator("details.operation:visible").count(), 1)
      await page.getByLabel("Bearer token").fill(await owner.token)
      const stream = page.locator('[id="stream.presence"]')
      await stream.locator("summary").click()
      await stream.getByLabel("organizations").fill(String(id))
      await stream.getByRole("button", { name: "Send" }).click()
      await stream.getByText("event: snapshot").waitFor()
      want(await enter(sojourn.user("another"), { kind: "organization", id }), 201)
      await stream.getByText("event: presence.changed").waitFor()
      await stream.getByRole("button", { name: "Stop" }).click()
      await stream.getByText("stopped").waitFor()
    })
  })

  it("sends a file as it is, and says how long an image is", async () => {
    const { id } = await withPlaces()
    const buffer = Buffer.from(IMAGES["image/png"])
    await visit({ fragment: docs("floorplan.put") }, async (page) => {
      await page.getByLabel("Bearer token").fill(await owner.token)
      const upload = page.locator('[id="floorplan.put"]')
      const box = { organizationId: id, west: 11, south: 45, east: 12, north: 46 }
      for (const [name, value] of Object.entries(box)) await upload.getByLabel(name).fill(String(value))
      await upload.getByLabel(/^Body/).setInputFiles({ name: "plan.png", mimeType: "image/png", buffer })
      await upload.getByRole("button", { name: "Send" }).click()
      await upload.getByText("200 OK").waitFor()

      const download = page.locator('[id="floorplan.get"]')
      await download.locator("summary").click()
      await download.getByLabel("organizationId").fill(String(id))
      await download.getByRole("button", { name: "Send" }).click()
      await download.getByText(`An image of ${buffer.length} bytes.`).waitFor()
    })
  })

  it("has no fault that axe-core finds, with everything open, dark and on 320 pixels, and names each shape that it refers to", async () => {
    const narrow = { viewport: { width: 320, height: 600 }, colorScheme: "dark" } as const
    await visit({ ...narrow, fragment: docs() }, async (page) => {
      const dangling = await page.evaluate(
        `[...document.querySelectorAll('a[href^="#"]')].filter((a) => !document.getElementById(a.hash.slice(1))).map((a) => a.hash)`
      )
      assert.deepEqual(dangling, [])
      await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
      assert.isFalse(await isTooWide(page))
      assert.deepEqual(await faultsOf(page), [])
    })
  })

  it("runs nothing else, and asks no other server", async () => {
    await visit(
      { fragment: docs(), expected: /Content Security Policy|outside:|failed,|document requires/ },
      async (page) => {
        const refused = page.waitForEvent("console", (message) => /Content Security Policy/.test(message.text()))
        await page.evaluate("void fetch('http://127.0.0.1:9/').catch(() => undefined)")
        await refused
        for (const [element, property] of [
          ["script", "textContent"],
          ["div", "innerHTML"]
        ] as const) {
          const plant = `document.createElement("${element}").${property} = "globalThis.planted = 1"`
          assert.match(await page.evaluate(`try { ${plant}; "planted" } catch (error) { String(error) }`), /Trusted/)
        }
      }
    )
  })

  it("is shown in no frame of another page", async () => {
    const framing = createServer((_request, response) => {
      response.setHeader("content-type", "text/html")
      response.end(`<!doctype html><title>frames</title><iframe src="${sojourn.baseUrl}/docs"></iframe>`)
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => framing.once("listening", resolve))
    const at = `http://127.0.0.1:${(framing.address() as AddressInfo).port}`
    try {
      await visit({ at, expected: /frame|outside|blocked|failed,/i }, async (page) => {
        const refused = page.waitForEvent("console", (message) => /frame-ancestors/.test(message.text()))
        await page.reload()
        await refused
        const shown = await Promise.all(page.frames().map((frame) => frame.getByLabel("Bearer token").count()))
        assert.deepEqual(
          shown.filter((count) => count > 0),
          []
        )
      })
    } finally {
      framing.close()
    }
  })
})

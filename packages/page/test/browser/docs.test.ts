/** The page of the interface, `/docs`, in Chromium: it shows and tries operations, asks no other server, and cannot be framed. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { SojournApi } from "@sojourn/adapter-http/api"
import * as OpenApi from "effect/http-api/OpenApi"
import { assert, describe, it } from "vitest"
import { missing, pageForThisFile, PATIENCE } from "./visiting.ts"

const { sojourn, owner, visit, withPlaces } = await pageForThisFile()

const at = `docs#tag/organization/GET/organization/{organizationId}`

describe.skipIf(missing !== undefined)("/docs", { timeout: PATIENCE }, () => {
  it("shows every operation, and tries one with a bearer token", async () => {
    const { id, name } = await withPlaces()
    // `visit` fails at a request to another server, and at what breaks the policy.
    await visit({ fragment: at, viewport: { width: 1400, height: 900 }, expected: /401/ }, async (page) => {
      await page.getByText("Read an organization").first().waitFor()
      const menu = page.getByRole("navigation").first()
      const { tags, paths } = OpenApi.fromApi(SojournApi)
      for (const { name } of tags) await menu.getByText(name, { exact: true }).first().waitFor()
      const shown = await page.evaluate("document.documentElement.innerHTML")
      for (const [path, methods] of Object.entries(paths)) assert.include(shown, path, Object.keys(methods).join())

      await page.getByRole("button", { name: "Test Request (get /organization/{organizationId})" }).click()
      const dialog = page.getByRole("dialog")
      await dialog.locator("#organizationId").getByRole("textbox").last().click()
      await page.keyboard.type(String(id))
      const send = async (status: number) => {
        const answered = page.waitForResponse(`${sojourn.baseUrl}/organization/${id}`)
        // The page takes over what was typed a little later.
        const pressed = async (): Promise<unknown> => {
          await dialog.getByRole("button", { name: "Send" }).first().click()
          return (await Promise.race([answered, page.waitForTimeout(3_000)])) ?? pressed()
        }
        await pressed()
        const response = await answered
        assert.strictEqual(response.status(), status)
        return response.request().headers()["authorization"]
      }
      await send(401)
      const token = await owner.token
      await dialog.locator(".scalar-password-input").fill(token)
      assert.strictEqual(await send(200), `Bearer ${token}`)
      await dialog.getByText(`"${name}"`).first().waitFor()
    })
  })

  it("runs no other script, and asks no other server", async () => {
    const expected = /Content Security Policy|outside:|failed,|violates/
    await visit({ fragment: "docs", expected }, async (page) => {
      const refused = () => page.waitForEvent("console", (message) => /Content Security Policy/.test(message.text()))
      const request = refused()
      await page.evaluate("void fetch('http://127.0.0.1:9/').catch(() => undefined)")
      await request
      const script = refused()
      await page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.planted = 1' }))"
      )
      await script
      assert.isUndefined(await page.evaluate("globalThis.planted"))
    })
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
        for (const frame of page.frames()) assert.strictEqual(await frame.getByText("Read an organization").count(), 0)
      })
    } finally {
      framing.close()
    }
  })
})

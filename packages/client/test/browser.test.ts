/** The client in a real browser, against the whole interface in memory. */
import { build } from "esbuild"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launch, missing } from "../../../site/browser/Chromium.ts"
import { ada, clientOf, operator, serve, userOf } from "./walk.ts"

const AREA = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'

const bundle = async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false
  })
  return outputFiles[0]!.text
}

describe.skipIf(missing !== undefined)("the client in a browser", () => {
  let code: string
  let server: Awaited<ReturnType<typeof serve>>

  /** The interface, and beside it a page and the client's bundle. */
  const http = createServer(async (request, response) => {
    if (request.url === "/page" || request.url === "/client.js") {
      const isPage = request.url === "/page"
      response.setHeader("content-type", isPage ? "text/html" : "text/javascript")
      return void response.end(isPage ? "<!doctype html><title>Client</title>" : code)
    }
    const body = request.method === "GET" ? null : Readable.toWeb(request)
    const init = { method: request.method!, headers: request.headers as Record<string, string>, body, duplex: "half" }
    const answer = await server.fetch(`http://127.0.0.1${request.url}`, init as RequestInit)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) response.end()
    else Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response)
  })

  beforeAll(async () => {
    code = await bundle()
    server = await serve()
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  })

  afterAll(async () => {
    http.close()
    http.closeAllConnections()
    await server.stop()
  })

  it("calls, is refused, and follows the stream", async () => {
    const owner = { administratorId: "ada", mail: "ada@example.org" }
    const { id } = await clientOf(server, operator).operator.createOrganization({
      body: { name: "Museum", trackingArea: AREA, trackingMode: "anonymous", owner }
    })
    const tokens = { user: await server.tokenOf(userOf("tim")), administrator: await server.tokenOf(ada) }
    const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const browser = await launch()
    try {
      const page = await browser.newPage()
      await page.goto(`${baseUrl}/page`)
      const seen = await page.evaluate(`(async () => {
        const { makeClient, outcome } = await import("/client.js")
        const { user, administrator } = ${JSON.stringify(tokens)}
        const phone = makeClient({ baseUrl: "${baseUrl}", token: () => user })
        const desk = makeClient({ baseUrl: "${baseUrl}", token: () => administrator })
        const { exitToken } = await phone.movement.trackOrganization({
          body: { movementType: "entrance", organizationId: ${id} }
        })
        const refused = await outcome(desk.organization.get({ organizationId: 12345 }))
        for await (const { event } of desk.stream.presence({ organizations: [${id}] })) {
          return { tokenLength: exitToken.length, status: refused.refusal.status, event }
        }
      })()`)
      assert.deepStrictEqual(seen, { tokenLength: 56, status: 404, event: "snapshot" })
    } finally {
      await browser.close()
    }
  })
})

/** How a server answers the page's files: policy, caching, compression, and what it does without the page. */
import { gunzipSync } from "node:zlib"
import * as http from "node:http"
import { assert, describe, it } from "vitest"
import { sojournForThisFile } from "../../server/test/harness.ts"

const withPage = await sojournForThisFile({ page: true })
const without = await sojournForThisFile()

const ask = (port: number, path: string, headers: http.OutgoingHttpHeaders = {}, method = "GET") =>
  new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, path, headers, method, agent: false }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) })
      )
    })
    request.on("error", reject).end()
  })

describe("the routes of the page", () => {
  it("answer the document with a strict policy, and not from a cache", async () => {
    const { status, headers, body } = await ask(withPage.port, "/")
    assert.strictEqual(status, 200)
    assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
    assert.strictEqual(headers["cache-control"], "no-store")
    const policy = headers["content-security-policy"] as string
    assert.match(policy, /default-src 'none'/)
    assert.notMatch(policy, /unsafe|\*/)
    assert.include(body.toString(), "<!doctype html>")
  })

  it("answer what the document names, for good and compressed where the client takes it", async () => {
    const { body } = await ask(withPage.port, "/")
    const paths = [...body.toString().matchAll(/(?:href|src)="(\/page\/[^"]+)"/g)].map(([, path]) => path!)
    assert.isAbove(paths.length, 2)
    for (const path of paths) {
      const plain = await ask(withPage.port, path)
      assert.strictEqual(plain.status, 200, path)
      assert.strictEqual(plain.headers["cache-control"], "public, max-age=31536000, immutable")
      assert.strictEqual(plain.headers.vary, "accept-encoding")
      const packed = await ask(withPage.port, path, { "accept-encoding": "br;q=1, gzip;q=0.5" })
      assert.strictEqual(packed.headers["content-encoding"], "gzip")
      assert.deepStrictEqual(gunzipSync(packed.body), plain.body)
      const refused = await ask(withPage.port, path, { "accept-encoding": "gzip;q=0" })
      assert.isUndefined(refused.headers["content-encoding"])
    }
    const icon = await ask(withPage.port, "/favicon.svg")
    assert.strictEqual(icon.headers["content-type"], "image/svg+xml")
    const notices = await ask(withPage.port, "/page/notices.txt")
    assert.strictEqual(notices.headers["cache-control"], "no-store")
  })

  it("answer 404 to other names, 405 to other methods, and HEAD without a body", async () => {
    for (const path of ["/page/nothing.js", "/page/", "/page", "/index.html"]) {
      assert.strictEqual((await ask(withPage.port, path)).status, 404, path)
    }
    assert.strictEqual((await ask(withPage.port, "/", {}, "POST")).status, 405)
    const head = await ask(withPage.port, "/", {}, "HEAD")
    assert.deepStrictEqual([head.status, head.body.length], [200, 0])
  })

  it("are not there without the page", async () => {
    for (const path of ["/", "/favicon.svg", "/page/notices.txt"]) {
      assert.strictEqual((await ask(without.port, path)).status, 404, path)
    }
  })
})

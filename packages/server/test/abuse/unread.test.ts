/** Clients that send requests ahead and read no answer: they are given no more work, and keep no one else's images. */
import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { makeFixtures, unique, want } from "../fixtures.ts"
import { type Bearer, sojournForThisFile } from "../harness.ts"
import { send } from "../httpClient.ts"
import { IMAGES } from "../images.ts"

const sojourn = await sojournForThisFile()
const { bind, call, organization, owner } = makeFixtures(sojourn)

const AHEAD = 30

/** A client that sends requests ahead, and reads nothing until `readAll`, which answers their statuses. */
const sendAhead = async (path: string, { token }: { readonly token?: Bearer["token"] } = {}) => {
  const authorization = token === undefined ? "" : `Authorization: Bearer ${await token}\r\n`
  const socket: Socket = connect(sojourn.port, "127.0.0.1")
  socket.on("error", () => {}).pause()
  const request = (more = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}${more}\r\n`
  socket.write(request().repeat(AHEAD - 1) + request("Connection: close\r\n"))
  const readAll = async () => {
    const chunks: Array<Buffer> = []
    for await (const chunk of socket.resume()) chunks.push(chunk as Buffer)
    return [
      ...Buffer.concat(chunks)
        .toString("latin1")
        .matchAll(/HTTP\/1\.1 (\d+) [^]*?\r\n\r\n/g)
    ].map(([, status]) => Number(status))
  }
  return { socket, readAll }
}

/** How many answers of a route the server has begun. */
const begun = async (route: string) => {
  const { text } = await send(sojourn.baseUrl, { path: "/metrics" })
  return [...text.matchAll(/^sojourn_http_requests_total\{([^}]*)\} (\d+)/gm)]
    .filter(([, labels]) => labels!.includes(`route="${route}"`))
    .reduce((sum, [, , count]) => sum + Number(count), 0)
}

/** The count, once it has not risen for two seconds: metrics are rendered once a second. */
const settled = async (route: string): Promise<number> => {
  const before = await begun(route)
  await pause(2_000)
  return (await begun(route)) === before ? before : settled(route)
}

describe("requests that are sent ahead on a connection", () => {
  it("wait until the answers before them were read, and are answered then", async () => {
    const before = await begun("/docs")
    const { readAll } = await sendAhead("/docs")
    // What the buffers of both systems hold is a part of 30 answers of 3 MB.
    expect((await settled("/docs")) - before).toBeLessThan(AHEAD / 2)
    expect(await readAll()).toEqual(Array.from({ length: AHEAD }, () => 200))
  })
})

describe("images that a caller does not read", () => {
  it("are 8 at most, and 503 above, while those of others are read and kept", async () => {
    const { id } = await organization()
    const image = new Uint8Array(1024 * 1024)
    image.set(IMAGES["image/png"])
    const path = `/floorplan/organization/${id}`
    const put = (who: Bearer) =>
      call(who, "PUT", `${path}?west=11&south=45&east=12&north=46`, { body: image, type: "image/png" })
    want(await put(owner), 200)
    const [one, other] = [unique("viewer"), unique("viewer")].map((name) => sojourn.administrator(name))
    for (const viewer of [one!, other!]) await bind(id, viewer, "viewer")
    const clients = await Promise.all(Array.from({ length: 10 }, () => sendAhead(path, one)))
    const ask = async ({ token }: Bearer, headers = {}) => send(sojourn.baseUrl, { path, token: await token, headers })
    const statusOf = async (who: Bearer) => (await ask(who)).status
    await expect.poll(() => statusOf(one!), { timeout: 20_000 }).toBe(503)
    expect((await ask(one!)).headers["retry-after"]).toBe("1")
    const { status, headers } = await ask(other!)
    expect(status).toBe(200)
    expect((await ask(one!, { "if-none-match": headers["etag"] })).status).toBe(304)
    want(await put(owner), 200)
    for (const { socket } of clients) socket.destroy()
    await expect.poll(() => statusOf(one!), { timeout: 20_000 }).toBe(200)
  })
})

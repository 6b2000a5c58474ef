/** The documented configuration of nginx in front of real servers: requests, addresses, streams, long bodies and restarts. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { certify } from "../../../adapter-ldap/test/certificates.ts"
import { makeCallers } from "../callers.ts"
import { type ServerGroup, serverGroup } from "../faults/ServerGroup.ts"
import { makeFixtures, rectangle, unique, want } from "../fixtures.ts"
import { type Options, type Sojourn, startSojourn } from "../harness.ts"
import { connectHttp2, type Http2Client } from "./http2Client.ts"
import { missing, startNginx } from "./Nginx.ts"

const certificate = certify({ commonName: "nginx", addresses: ["127.0.0.1"] })

/** nginx in front of servers, and a client of it. */
const inFront = async (...ports: ReadonlyArray<number>) => {
  const nginx = await startNginx(certificate, ports)
  onTestFinished(nginx.stop)
  const connect = (localAddress?: string): Http2Client => {
    const client = connectHttp2(nginx.port, certificate.pem, localAddress)
    onTestFinished(client.close)
    return client
  }
  return { nginx, connect, client: connect() }
}

const served = async (options?: Options) => {
  const sojourn = await startSojourn(options)
  onTestFinished(sojourn.stop)
  const { connect, client } = await inFront(sojourn.port)
  return { ...makeFixtures<Sojourn>({ ...sojourn, call: client.call }), sojourn, connect, client }
}

describe.skipIf(missing !== undefined)("a server behind nginx", () => {
  it("answers over HTTP/2 and TLS as it answers by itself", async () => {
    const { sojourn, client, organization, enter, leave, inside, call, owner } = await served()
    const { id } = await organization()
    const where = { kind: "organization", id } as const
    const user = sojourn.user("tim")
    const { exitToken } = want(await enter(user, where), 201).json
    expect(await inside(where)).toBe(1)
    expect((await leave(user, where, "unknown")).status).toBe(400)
    want(await leave(user, where, exitToken), 202)
    expect(await inside(where)).toBe(0)
    expect(client.protocol()).toBe("h2")
    for (const [who, path] of [
      [undefined, "/organization"],
      [owner, "/organization/999999"],
      [owner, "/nowhere"]
    ] as const) {
      const headers = { accept: "application/problem+json" }
      const [through, direct] = [
        await call(who, "GET", path, { headers }),
        await sojourn.call(who, "GET", path, { headers })
      ]
      expect([through.status, through.headers["content-type"]]).toEqual([direct.status, direct.headers["content-type"]])
      expect({ ...JSON.parse(through.text), instance: "" }).toEqual({ ...JSON.parse(direct.text), instance: "" })
    }
  })

  it("limits clients by their own addresses, and not by those that they claim", async () => {
    const { connect } = await served({ limits: { network: { most: 3, window: 600_000 }, trustedProxies: 1 } })
    const refusedFrom = async (address: string) => {
      const { call } = connect(address)
      const statuses = []
      for (let nth = 0; nth < 4; nth++) {
        const headers = { "x-forwarded-for": `192.0.2.${nth}` }
        statuses.push((await call(undefined, "GET", "/organization", { headers })).status)
      }
      return statuses
    }
    expect(await refusedFrom("127.0.0.2")).toEqual([401, 401, 401, 429])
    expect(await refusedFrom("127.0.0.3")).toEqual([401, 401, 401, 429])
  })

  it("streams events at once, many streams beside requests on one connection", async () => {
    const { sojourn, client, organization, put, get, operator, owner, enter, inside } = await served()
    const { id } = await organization()
    const where = { kind: "organization", id } as const
    want(await put(operator, `/operator/organization/${id}/policy`, { eventGrain: 0 }), 200)
    const streams = []
    for (let nth = 0; nth < 20; nth++) streams.push(await client.open(owner, `?organizations=${id}`))
    for (const { status, next } of streams) {
      expect(status).toBe(200)
      expect((await next()).event).toBe("snapshot")
    }
    for (let entered = 1; entered <= 3; entered++) {
      want(await enter(sojourn.user(unique("user")), where), 201)
      for (const { next } of streams) {
        expect(await next()).toMatchObject({ event: "presence.changed", data: { inside: entered } })
      }
      expect(await inside(where)).toBe(entered)
    }
    streams[0]!.close()
    const subscribers = async () =>
      /^sojourn_presence_streams (\d+)$/m.exec((await get(undefined, "/metrics")).text)?.[1]
    await expect.poll(subscribers, { timeout: 10_000 }).toBe("19")
  })

  it("receives and sends bodies of almost 1 MiB, and refuses longer ones itself", async () => {
    const { sojourn, operator, call, draft, get } = await served()
    const trackingArea = rectangle(11, 45, 12, 46).padEnd(130_000)
    const create = (length: number) => {
      const sent = {
        body: JSON.stringify(draft({ trackingArea })).padEnd(length),
        headers: { accept: "application/problem+json" }
      }
      return call(operator, "POST", "/operator/organization", sent)
    }
    const { id } = want(await create(1024 * 1024), 201).json
    expect(want(await get(sojourn.user("tim"), `/organization/${id}`), 200).json.trackingArea).toBe(trackingArea)
    const refused = await create(1024 * 1024 + 1)
    expect([refused.status, refused.headers["content-type"]]).toEqual([413, "application/problem+json"])
    expect((await create(3_000_000)).status).toBe(413)
  })
})

describe.skipIf(missing !== undefined)("servers behind nginx", () => {
  let group: ServerGroup

  beforeAll(async () => {
    group = await serverGroup()
  })
  afterAll(() => group.close())

  // A worker of nginx that ends keeps a busy HTTP/2 connection, and may send a last request to the server that ends: one in ten times.
  it("restart one after the other without a refused request, and streams say that they end", { retry: 3 }, async () => {
    const start = async () => {
      const server = group.start("--trusted-proxies", "1", "--drain-delay", "3s")
      return { server, port: Number(new URL(await server.listening).port) }
    }
    const servers = [await start(), await start()]
    const ports = () => servers.map(({ port }) => port)
    const { nginx, client, connect } = await inFront(...ports())
    const callers = makeCallers(await group.key())
    const { organization, owner, enter, inside } = makeFixtures({ ...callers, call: client.call })
    const { id } = await organization()
    const where = { kind: "organization", id } as const

    let entered = 0
    const over = new AbortController()
    const refused: Array<number> = []
    const crowd = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        const { status } = await enter(callers.user(unique("user")), where)
        if (status === 201) entered++
        else refused.push(status)
      }
    })
    const isServing = async () => {
      const before = entered
      await expect.poll(() => entered, { timeout: 30_000 }).toBeGreaterThan(before + 50)
    }
    const endOf = async () => {
      const { next } = await connect().open(owner, `?organizations=${id}`)
      let message = await next()
      while (message.event !== "end") message = await next()
      return message.data
    }
    const ends = [endOf(), endOf(), endOf(), endOf()]

    await isServing()
    for (const [nth, { server, port }] of servers.entries()) {
      await nginx.reload(ports(), port)
      server.kill("SIGTERM")
      expect(await server.ended).toMatchObject({ code: 0, signal: null })
      servers[nth] = await start()
      await nginx.reload(ports())
      await isServing()
    }
    over.abort()
    await Promise.all(crowd)
    expect(refused, nginx.log()).toEqual([])
    expect(await inside(where)).toBe(entered)
    expect(await Promise.all(ends)).toEqual(ends.map(() => ({ reason: "shutdown" })))
  })
})

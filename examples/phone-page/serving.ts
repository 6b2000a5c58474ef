/** The page's own server, beside a reference server in memory with one organization around a position. */
import { layerCredentialsOfCaller, makeClient } from "@sojourn/adapter-http/client"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { build } from "esbuild"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { inNameOf } from "../phones/city.ts"
import { serveHere } from "../phones/serving.ts"

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A square with sides of twice so many degrees. */
const square = ([latitude, longitude]: readonly [number, number], reach: number) => {
  const [south, north, west, east] = [latitude - reach, latitude + reach, longitude - reach, longitude + reach]
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south]
  ]
  return JSON.stringify({ type: "Polygon", coordinates: [ring] })
}

const bundlePage = async () => {
  const { outputFiles } = await build({
    entryPoints: [file("browser/page.ts")],
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["source"],
    write: false
  })
  return outputFiles[0]!.text
}

/** Serves the page and its reference server for as long as the scope lasts. */
export const servePhonePage = Effect.fnUntraced(function* (position: readonly [number, number]) {
  const html = yield* Effect.promise(() => readFile(file("page.html"), "utf8"))
  const script = yield* Effect.promise(bundlePage)
  const answers = new Map<string, readonly [type: string, text: () => Promise<string>]>([
    ["/", ["text/html", async () => html]],
    ["/page.js", ["text/javascript", async () => script]]
  ])
  const page = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page")
    const [type, text] = answers.get(pathname) ?? []
    if (type === undefined || text === undefined) return response.writeHead(404).end()
    return void text().then((body) => response.writeHead(200, { "content-type": type }).end(body))
  })
  yield* Effect.promise(() => once(page.listen(0, "127.0.0.1"), "listening"))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      page.close()
      page.closeAllConnections()
    })
  )
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`

  const server = yield* serveHere("memory", [url])
  const client = yield* Effect.provide(makeClient(server.url), [layerCredentialsOfCaller, FetchHttpClient.layer])
  const owner = { administratorId: AdministratorId.make("owner"), mail: Mail.make("owner@phone.example") }
  const asOperator = yield* inNameOf(server.key, Operator(OperatorId.make("operator")))
  const asOwner = yield* inNameOf(server.key, Administrator(owner.administratorId, owner.mail))
  const { id: organizationId } = yield* asOperator(
    client.operator.createOrganization({
      payload: { name: "Here", trackingMode: "anonymous", trackingArea: square(position, 0.004), owner }
    })
  )
  const { id: placeId } = yield* asOwner(
    client.place.create({ payload: { organizationId, name: "Right here", trackingArea: square(position, 0.001) } })
  )

  const settings = JSON.stringify({
    url: server.url,
    organizationId: Number(organizationId),
    placeIds: [Number(placeId)]
  })
  answers.set("/settings.json", ["application/json", async () => settings])
  // An app signs its users in here.
  const visitor = yield* OwnIssuer.mint(server.key, User(UserId.make("visitor")), { expiresIn: 86_400 })
  answers.set("/token", ["text/plain", async () => Redacted.value(visitor)])
  return { url, counter: asOwner(client.presence.placeCounter({ params: { placeId } })) }
})

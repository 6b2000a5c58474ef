/** A receiver of webhooks over HTTPS, which keeps every request and answers as a test decides. */
import { writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import * as https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { join } from "node:path"
import { CloudEvent } from "cloudevents"
import { Webhook } from "standardwebhooks"
import { expect } from "vitest"
import { makeCertificates } from "../../../adapter-ldap/test/certificates.ts"

/** The authority of the receivers, and the certificates that it signed. */
export const certificates = makeCertificates()

/** A request that a receiver got. */
export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: any
}

/** How a receiver answers the requests of a path: `attempt` counts them. */
export type Answering = (response: ServerResponse, attempt: number, received: Received) => void

/** A receiver of webhooks over HTTPS. */
export interface Receiver {
  readonly origin: string
  /** All requests of a path, in their order. */
  readonly received: (path: string) => ReadonlyArray<Received>
  /** Changes how a path answers; 204 at first. */
  readonly answer: (path: string, answering: Answering) => void
  /** How many connections there were, and how many are open. */
  readonly connections: () => { readonly opened: number; readonly open: number }
  readonly stop: () => Promise<void>
}

/** The flags of a server that delivers to a receiver; they name a file in the folder. */
export const flagsFor = ({ origin }: Receiver, folder: string): ReadonlyArray<string> => {
  const authority = join(folder, "receivers.pem")
  writeFileSync(authority, certificates.authority.pem)
  return ["--webhook-allow", origin, "--webhook-ca", authority]
}

/**
 * The body of a delivery, if the library of Standard Webhooks verifies it with this secret, and that of CloudEvents takes it for an
 * event by the published schema; throws otherwise.
 */
export const verified = (secret: string, { headers, text }: Received): any => {
  const body = new Webhook(secret).verify(text, { ...headers }) as any
  const { id, time } = new CloudEvent(body, true)
  expect([id, time]).toEqual([headers["webhook-id"], body.timestamp])
  return body
}

/** An event of a feed, or the `data` of a delivery, which may stand for several. */
export interface FeedEvent {
  readonly version: number
  readonly fromVersion?: number
  readonly type: string
  readonly placeId?: number
  readonly level?: string
  readonly changed?: string
  readonly musterId?: number
  readonly state?: string
  readonly entered?: number
  readonly left?: number
}

/** What makes events one that wait: type, premises and content. */
export const contentOf = ({ type, placeId, level, changed, musterId, state }: FeedEvent): string =>
  JSON.stringify(type === "presence.changed" ? [type, placeId] : [type, placeId, level, changed, musterId, state])

/** What a delivery and the last of its events must agree in. */
const textOf = (event: object) =>
  JSON.stringify(
    Object.entries(event)
      .filter(([name, value]) => value !== null && name !== "fromVersion")
      .sort(([one], [other]) => (one < other ? -1 : 1))
  )

/**
 * Why deliveries do not stand for these events, each once and in the order of versions; empty where they do. A delivery stands
 * for the events of its content since the one before: it has the values of the last of them, and sums of movements.
 */
export const faultsOfCoverage = (
  deliveries: ReadonlyArray<FeedEvent>,
  events: ReadonlyArray<FeedEvent>
): ReadonlyArray<string> => {
  const left = new Map([...Map.groupBy(events, contentOf)].map(([content, all]) => [content, [...all]]))
  const faults: Array<string> = []
  let last = 0
  for (const one of deliveries) {
    if (one.version <= last) faults.push(`version ${one.version} came after ${last}`)
    last = one.version
    const all = left.get(contentOf(one)) ?? []
    const covered = all.splice(0, all.findIndex(({ version }) => version === one.version) + 1)
    if (covered[0]?.version !== (one.fromVersion ?? one.version))
      faults.push(`version ${one.version} from ${one.fromVersion} stands for those from ${covered[0]?.version}`)
    const total = (name: "entered" | "left") => covered.reduce((sum, event) => sum + (event[name] ?? 0), 0)
    const sums = one.type === "presence.changed" ? { entered: total("entered"), left: total("left") } : {}
    if (textOf({ ...covered.at(-1), ...sums }) !== textOf(one))
      faults.push(`version ${one.version} is not as it was published`)
  }
  for (const [content, all] of left) if (all.length > 0) faults.push(`${all.length} events did not arrive: ${content}`)
  return faults
}

export const startReceiver = async (certificate = certificates.server): Promise<Receiver> => {
  const requests = new Map<string, Array<Received>>()
  const received = (path: string) => requests.get(path) ?? []
  const answers = new Map<string, Answering>()
  const server = https.createServer({ key: certificate.keyPem, cert: certificate.pem }, (request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("error", () => {})
    response.on("error", () => {})
    request.on("end", () => {
      const path = request.url ?? ""
      const text = Buffer.concat(parts).toString("utf8")
      const headers = request.headers as Record<string, string>
      const one = { path, headers, text, json: JSON.parse(text) }
      const all = received(path)
      requests.set(path, all)
      const answering = answers.get(path) ?? ((answer) => answer.writeHead(204).end())
      answering(response, all.push(one), one)
    })
  })
  server.on("clientError", (_error, socket) => socket.destroy())
  const open = new Set<Socket>()
  let opened = 0
  server.on("connection", (socket: Socket) => {
    opened++
    open.add(socket)
    socket.on("error", () => {}).on("close", () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (path) => [...received(path)],
    answer: (path, answering) => void answers.set(path, answering),
    connections: () => ({ opened, open: open.size }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const socket of open) socket.destroy()
      })
  }
}

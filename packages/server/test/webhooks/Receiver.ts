/** A receiver of webhooks over HTTPS, which keeps every request and answers as a test decides. */
import type { ServerResponse } from "node:http"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
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
  readonly stop: () => Promise<void>
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
export interface Told {
  readonly version: number
  readonly fromVersion?: number
  readonly type: string
  readonly placeId?: number
  readonly level?: string
  readonly changed?: string
  readonly musterId?: number
  readonly state?: string
}

/** What makes events one that wait: type, premises and content. */
export const contentOf = ({ type, placeId, level, changed, musterId, state }: Told): string =>
  JSON.stringify(type === "presence.changed" ? [type, placeId] : [type, placeId, level, changed, musterId, state])

/** Why deliveries do not stand for these events, each once and in the order of versions; empty where they do. */
export const faultsOfCoverage = (
  deliveries: ReadonlyArray<Told>,
  events: ReadonlyArray<Told>
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (path) => [...received(path)],
    answer: (path, answering) => void answers.set(path, answering),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

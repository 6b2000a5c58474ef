/** Thousands of subscribers in one process, which check each event for order, sums and delay. */
import { get, type IncomingMessage } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { quantile } from "../shared/quantile.ts"
import type { Heard, Subscribing } from "./Subscribing.ts"

/** How many connections are opened at a time. */
const AT_ONCE = 50

interface Head {
  readonly placeId?: number
  readonly entered: number
  readonly left: number
  readonly inside: number
}

interface Snapshot {
  readonly reason: string
  readonly organizations: ReadonlyArray<Head & { readonly version: number; readonly places: ReadonlyArray<Head> }>
}

interface Told extends Head {
  readonly version: number
  readonly at: string
}

/** What one subscriber knows. */
interface Subscriber {
  version: number
  readonly heads: Map<number, { entered: number; left: number }>
}

const WHOLE = 0

/** Subscribes, and answers what all subscribers received. */
export const subscribe = async (subscribing: Subscribing): Promise<Heard> => {
  const { host, port, organizationId, token, seconds } = subscribing
  const began = process.cpuUsage()
  const connectedUntil = Date.now() + subscribing.connecting * 1000
  const latencies: Array<number> = []
  const snapshots: Record<string, number> = {}
  const errors: Record<string, number> = {}
  const count = (counts: Record<string, number>, what: string) => void (counts[what] = (counts[what] ?? 0) + 1)
  let connected = 0
  let events = 0
  let gaps = 0
  let wrongSums = 0
  let isOver = false

  const takeSnapshot = (subscriber: Subscriber, { reason, organizations }: Snapshot) => {
    count(snapshots, reason)
    const [organization] = organizations
    if (organization === undefined) return
    if (subscriber.version < 0) connected++
    subscriber.version = organization.version
    subscriber.heads.clear()
    for (const head of [organization, ...organization.places]) {
      subscriber.heads.set(head.placeId ?? WHOLE, { entered: head.entered, left: head.left })
    }
  }

  const takeEvent = (subscriber: Subscriber, type: string, data: string) => {
    const { at, entered, inside, left, placeId, version } = JSON.parse(data) as Told
    events++
    latencies.push(Date.now() - Date.parse(at))
    if (version !== subscriber.version + 1) gaps++
    subscriber.version = version
    if (type !== "presence.changed") return
    const head = subscriber.heads.get(placeId ?? WHOLE) ?? { entered: 0, left: 0 }
    head.entered += entered
    head.left += left
    subscriber.heads.set(placeId ?? WHOLE, head)
    if (head.entered - head.left !== inside) wrongSums++
  }

  const take = (subscriber: Subscriber, message: string) => {
    let type = ""
    let data = ""
    for (const line of message.split("\n")) {
      if (line.startsWith("event: ")) type = line.slice(7)
      else if (line.startsWith("data: ")) data = line.slice(6)
    }
    if (type === "snapshot") takeSnapshot(subscriber, JSON.parse(data) as Snapshot)
    else if (type.includes(".")) takeEvent(subscriber, type, data)
    else if (type !== "" && !isOver) count(errors, type)
  }

  const open = (subscriber: Subscriber, isSlow: boolean) =>
    new Promise<IncomingMessage | undefined>((resolve) => {
      const request = get({
        host,
        port,
        agent: false,
        path: `/presence/stream?organizations=${organizationId}`,
        headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" }
      })
      request.on("error", () => {
        if (!isOver) count(errors, "failed")
        resolve(undefined)
      })
      request.on("response", (response) => {
        if (response.statusCode !== 200) count(errors, `status ${response.statusCode}`)
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => {
          text += chunk
          for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n")) {
            take(subscriber, text.slice(0, at))
            text = text.slice(at + 2)
          }
          if (isSlow && subscriber.version >= 0) {
            isSlow = false
            response.pause()
            setTimeout(() => response.resume(), subscribing.pause * 1000)
          }
        })
        response.on("error", () => {})
        response.on("close", () => {
          if (!isOver) count(errors, "closed")
        })
        resolve(response)
      })
    })

  let silent = 0
  let refused = 0

  /** Asks for a stream, and reads its head alone. Resolves with the head. */
  const ask = () =>
    new Promise<IncomingMessage | undefined>((resolve) => {
      const path = `/presence/stream?organizations=${organizationId}`
      const request = get({ host, port, agent: false, path, headers: { authorization: `Bearer ${token}` } })
      request.on("error", () => resolve(undefined))
      request.on("response", (response) => {
        response.socket.pause()
        response.on("error", () => {})
        resolve(response)
      })
    })

  /** Opens a stream that is never read, however often the server is busy. */
  const openSilent = async () => {
    while (Date.now() < connectedUntil) {
      const response = await ask()
      if (response?.statusCode !== 200) {
        response?.destroy()
        await pause(100)
        continue
      }
      silent++
      response.socket.on("close", () => {
        if (!isOver) silent--
      })
      return response
    }
    return undefined
  }

  const subscribers = Array.from({ length: subscribing.subscribers }, (): Subscriber => ({
    version: -1,
    heads: new Map()
  }))
  const responses: Array<IncomingMessage | undefined> = []
  for (let first = 0; first < subscribing.silent; first += AT_ONCE) {
    const some = Math.min(AT_ONCE, subscribing.silent - first)
    responses.push(...(await Promise.all(Array.from({ length: some }, openSilent))))
  }
  for (let first = 0; first < subscribers.length; first += AT_ONCE) {
    const some = subscribers.slice(first, first + AT_ONCE)
    responses.push(
      ...(await Promise.all(some.map((one, nth) => open(one, subscribing.pause > 0 && first + nth === 0))))
    )
  }
  for (let nth = 0; nth < subscribing.refused; nth++) {
    const response = await ask()
    if (response?.statusCode === 503 && response.headers["retry-after"] !== undefined) refused++
    else count(errors, `${response?.statusCode} beyond what may be`)
    response?.destroy()
  }
  await pause(seconds * 1000)
  isOver = true
  for (const response of responses) response?.destroy()

  const last = new Set(
    subscribers.map(({ version, heads }) => {
      const totals = [...heads]
        .sort(([one], [other]) => one - other)
        .map(([id, { entered, left }]) => [id, entered, left])
      return JSON.stringify([version, totals])
    })
  )
  const sorted = Float64Array.from(latencies).sort()
  const { system, user } = process.cpuUsage(began)
  return {
    connected,
    silent,
    refused,
    events,
    snapshots,
    gaps,
    wrongSums,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    longest: quantile(sorted, 1),
    last: [...last],
    errors,
    processor: (system + user) / 1000
  }
}

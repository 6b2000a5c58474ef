/** Thousands of subscribers in one process, which check each event for order, sums and delay. */
import { get, type IncomingMessage } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { quantile } from "../shared/statistics.ts"

/** Subscribers of `GET /presence/stream`, all of the same organization. */
export interface Subscribing {
  readonly host: string
  readonly port: number
  readonly organizationId: number
  /** The token of an administrator of the organization. */
  readonly token: string
  readonly subscribers: number
  /** How many connections ask for a stream before them, and read nothing after the head of the answer. */
  readonly silent: number
  /** How many streams are requested at the end beyond those that the server may have. */
  readonly refused: number
  /** How long all may take to connect, in seconds. */
  readonly connecting: number
  /** How long they listen once all are connected, in seconds. */
  readonly seconds: number
  /** How long the first subscriber stops reading after its snapshot, in seconds; 0: it always reads. */
  readonly pause: number
}

/** The pause before a stream is requested again that was refused, in milliseconds. */
const RETRY_PAUSE_MS = 100

/** What the subscribers received. */
export interface Heard {
  /** Subscribers that received their first snapshot. */
  readonly connected: number
  /** Connections that read nothing and were never closed. */
  readonly silent: number
  /** Streams that were refused with 503 and `Retry-After`. */
  readonly refused: number
  /** Events, of all subscribers together. */
  readonly events: number
  /** Snapshots by reason: `start`, `behind`, `reset`. */
  readonly snapshots: Readonly<Record<string, number>>
  /** Events whose version did not follow the one before. */
  readonly gaps: number
  /** Presence events after which `inside` was not the sum of the changes since the snapshot. */
  readonly wrongSums: number
  /** From the moment when an event was recorded to its arrival, in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** The distinct last versions and totals of the subscribers: one, if all received the same. */
  readonly last: ReadonlyArray<string>
  /** What went wrong and how often: another status, a connection that ended. */
  readonly errors: Readonly<Record<string, number>>
}

interface Totals {
  readonly placeId?: number
  readonly entered: number
  readonly left: number
  readonly inside: number
}

interface Snapshot {
  readonly reason: string
  readonly organizations: ReadonlyArray<Totals & { readonly version: number; readonly places: ReadonlyArray<Totals> }>
}

interface Event extends Totals {
  readonly version: number
  readonly at: string
}

/** The state of one subscriber: the last version, and the totals by place. */
interface Subscriber {
  version: number
  readonly totals: Map<number, { entered: number; left: number }>
}

/** The place that stands for the organization as a whole. */
const WHOLE = 0

/** How many connections are opened at a time. */
const AT_ONCE = 50

/** Calls `each` so many times, some at once. */
const inGroups = async <A>(count: number, each: (nth: number) => Promise<A>): Promise<ReadonlyArray<A>> => {
  const done: Array<A> = []
  for (let first = 0; first < count; first += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, nth) => each(first + nth))
    done.push(...(await Promise.all(some)))
  }
  return done
}

/** What all subscribers received so far. */
const makeTally = () => {
  const latencies: Array<number> = []
  const snapshots: Record<string, number> = {}
  let connected = 0
  let gaps = 0
  let wrongSums = 0

  const takeSnapshot = (subscriber: Subscriber, { reason, organizations: [organization] }: Snapshot) => {
    snapshots[reason] = (snapshots[reason] ?? 0) + 1
    if (organization === undefined) return
    if (subscriber.version < 0) connected++
    subscriber.version = organization.version
    subscriber.totals.clear()
    for (const { placeId = WHOLE, entered, left } of [organization, ...organization.places]) {
      subscriber.totals.set(placeId, { entered, left })
    }
  }

  const takeEvent = (subscriber: Subscriber, type: string, event: Event) => {
    const { at, entered, inside, left, placeId = WHOLE, version } = event
    latencies.push(Date.now() - Date.parse(at))
    if (version !== subscriber.version + 1) gaps++
    subscriber.version = version
    if (type !== "presence.changed") return
    const before = subscriber.totals.get(placeId) ?? { entered: 0, left: 0 }
    const totals = { entered: before.entered + entered, left: before.left + left }
    subscriber.totals.set(placeId, totals)
    if (totals.entered - totals.left !== inside) wrongSums++
  }

  const result = (subscribers: ReadonlyArray<Subscriber>) => {
    const sorted = Float64Array.from(latencies).sort()
    const last = new Set(
      subscribers.map(({ version, totals }) =>
        JSON.stringify([version, [...totals].sort(([one], [other]) => one - other)])
      )
    )
    const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => quantile(sorted, share))
    return {
      connected,
      events: latencies.length,
      snapshots,
      gaps,
      wrongSums,
      p50: p50!,
      p99: p99!,
      longest: longest!,
      last: [...last]
    }
  }
  return { takeSnapshot, takeEvent, result }
}

/** Subscribes, and answers what all subscribers received. */
export const subscribe = async (subscribing: Subscribing): Promise<Heard> => {
  const { host, port, organizationId, token } = subscribing
  const connectedUntil = Date.now() + subscribing.connecting * 1000
  const tally = makeTally()
  const errors: Record<string, number> = {}
  let isOver = false
  const fail = (what: string) => {
    if (!isOver) errors[what] = (errors[what] ?? 0) + 1
  }

  /** Requests a stream. Resolves with the head of the answer; undefined where none comes. */
  const request = () =>
    new Promise<IncomingMessage | undefined>((resolve) => {
      const path = `/presence/stream?organizations=${organizationId}`
      const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" }
      get({ host, port, agent: false, path, headers }, (response) => {
        response.on("error", () => {})
        resolve(response)
      }).on("error", () => resolve(undefined))
    })

  const take = (subscriber: Subscriber, message: string) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(message)?.[1]
    const type = field("event")
    if (type === "snapshot") tally.takeSnapshot(subscriber, JSON.parse(field("data")!) as Snapshot)
    else if (type?.includes(".")) tally.takeEvent(subscriber, type, JSON.parse(field("data")!) as Event)
    else if (type !== undefined) fail(type)
  }

  const open = async (subscriber: Subscriber, pausing: number) => {
    const response = await request()
    if (response?.statusCode !== 200) fail(`status ${response?.statusCode}`)
    let text = ""
    let isPausing = pausing > 0
    response?.setEncoding("utf8").on("data", (chunk: string) => {
      const messages = (text + chunk).split("\n\n")
      text = messages.pop()!
      for (const message of messages) take(subscriber, message)
      if (!isPausing || subscriber.version < 0) return
      isPausing = false
      response.pause()
      setTimeout(() => response.resume(), pausing * 1000)
    })
    response?.on("close", () => fail("closed"))
    return response
  }

  let silent = 0

  /** Opens a stream that is never read, however often the server is busy. */
  const openSilent = async () => {
    for (; Date.now() < connectedUntil; await pause(RETRY_PAUSE_MS)) {
      const response = await request()
      if (response?.statusCode !== 200) {
        response?.destroy()
        continue
      }
      response.socket.pause()
      silent++
      response.socket.on("close", () => {
        if (!isOver) silent--
      })
      return response
    }
    return undefined
  }

  const isRefused = async () => {
    const response = await request()
    const isRight = response?.statusCode === 503 && response.headers["retry-after"] !== undefined
    if (!isRight) fail(`${response?.statusCode} beyond the streams that may be`)
    response?.destroy()
    return isRight
  }

  const subscribers = Array.from({ length: subscribing.subscribers }, (): Subscriber => ({
    version: -1,
    totals: new Map()
  }))
  const responses = [
    ...(await inGroups(subscribing.silent, openSilent)),
    ...(await inGroups(subscribers.length, (nth) => open(subscribers[nth]!, nth === 0 ? subscribing.pause : 0)))
  ]
  const refused = (await inGroups(subscribing.refused, isRefused)).filter(Boolean).length
  await pause(subscribing.seconds * 1000)
  isOver = true
  for (const response of responses) response?.destroy()
  return { ...tally.result(subscribers), silent, refused, errors }
}

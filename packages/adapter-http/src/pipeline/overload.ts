/** What bounds the work of a server: images and imports underway, and answers that nobody reads. Counts what is refused, and logs it together. */
import { type AnyCaller, nameOfCaller } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { PROBLEM_URIS } from "../api/shared/problems.ts"
import { ServiceUnavailable } from "../api/shared/refusals.ts"
import { CurrentRequest } from "./requestNotes.ts"

/** The interval of the log lines about refused requests. */
const LOG_INTERVAL = "5 seconds"

const refusals = (what: string) =>
  Metric.counter("sojourn_overload_refusals_total", {
    description: "Requests that were refused because there was too much to do, by what there was too much of",
    attributes: { what },
    incremental: true
  })

const counts = new Map<string, { readonly metric: Metric.Counter<number>; count: number }>()

const of = (what: string) => {
  let known = counts.get(what)
  if (known === undefined) {
    known = { metric: refusals(what), count: 0 }
    known.metric.valueUnsafe(Context.empty())
    counts.set(what, known)
  }
  return known
}

/**
 * Counts a request that is refused because of overload. It is not logged by itself, which would add to the load:
 * {@link layerOverloadLog} logs the counts at an interval. `what` names the resource that is exhausted. It is a fixed text and never
 * a client's, as each value is a series of its own.
 */
export const countOverload = (what: string): void => {
  const known = of(what)
  known.count++
  known.metric.updateUnsafe(1, Context.empty())
}

/** Logs how many requests were refused because of overload, in one line for each interval. */
export const layerOverloadLog: Layer.Layer<never> = Layer.effectDiscard(
  Effect.gen(function* () {
    // A server that refused none shows 0.
    of("requests")
    const logged = new Map([...counts].map(([what, { count }]) => [what, count]))
    yield* Effect.sleep(LOG_INTERVAL).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          const risen: Record<string, number> = {}
          for (const [what, { count }] of counts) {
            const refused = count - (logged.get(what) ?? 0)
            if (refused > 0) risen[what] = refused
            logged.set(what, count)
          }
          return Object.keys(risen).length === 0
            ? Effect.void
            : Effect.logWarning("too much to do: requests were refused").pipe(Effect.annotateLogs(risen))
        })
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

/** How many bytes of answers wait at most. An honest client has read most of its answer before that of the next one is written. */
const MOST_BYTES = 128 * 1024 * 1024

/** A connection that an answer is written to. */
interface Destroyable {
  readonly destroy: () => unknown
}

export class UnreadAnswers {
  /** By the answers' responses, that which has waited for longest first. */
  private readonly waiting = new Map<Destroyable, Uint8Array>()
  /** How many answers share a content, such as that of a page: it is in memory once. */
  private readonly shares = new Map<Uint8Array, number>()
  private readonly most: number
  private bytes = 0

  constructor(most: number = MOST_BYTES) {
    this.most = most
  }

  /** Notes that the content waits until the client of the response reads. Closes connections whose clients have read nothing for longest, where it is too much. */
  wait(response: Destroyable, content: Uint8Array): void {
    this.release(response)
    this.waiting.set(response, content)
    const shares = this.shares.get(content) ?? 0
    if (shares === 0) this.bytes += content.length
    this.shares.set(content, shares + 1)
    for (const [oldest] of this.waiting) {
      if (this.bytes <= this.most || oldest === response) break
      this.release(oldest)
      countOverload("unread answers")
      oldest.destroy()
    }
  }

  /** Notes that nothing of the response waits any more. */
  release(response: Destroyable): void {
    const content = this.waiting.get(response)
    if (content === undefined) return
    this.waiting.delete(response)
    const shares = this.shares.get(content)!
    if (shares > 1) return void this.shares.set(content, shares - 1)
    this.shares.delete(content)
    this.bytes -= content.length
  }
}

/** How many of some content of a caller, and of all, are underway at once. */
interface ContentBounds {
  readonly what: string
  readonly mostOfCaller: number
  readonly most: number
}

/** Each has a megabyte at most. */
export const IMAGES: ContentBounds = { what: "images", mostOfCaller: 8, most: 64 }

/** Each has 16 megabytes at most, and takes a few times as much while it is read. */
export const IMPORTS: ContentBounds = { what: "imports", mostOfCaller: 2, most: 4 }

/** Makes what bounds the content of one direction: it takes room for one until the current request is closed, or answers 503. */
export const makeContentBounds = ({ what, mostOfCaller, most }: ContentBounds) => {
  const tooMany = () => {
    countOverload(what)
    return new ServiceUnavailable({
      type: PROBLEM_URIS.ServerUnavailable,
      detail: `There are too many ${what} underway: try again later.`
    })
  }
  const byCaller = new Map<string, number>()
  let all = 0
  return (caller: AnyCaller): Effect.Effect<void, ServiceUnavailable> =>
    Effect.withFiber((fiber) => {
      const request = fiber.getRef(CurrentRequest)
      if (request === undefined) return Effect.void
      const name = nameOfCaller(caller)
      const own = byCaller.get(name) ?? 0
      if (own >= mostOfCaller || all >= most) return Effect.fail(tooMany())
      byCaller.set(name, own + 1)
      all++
      request.closed = () => {
        all--
        const rest = byCaller.get(name)! - 1
        if (rest === 0) byCaller.delete(name)
        else byCaller.set(name, rest)
      }
      return Effect.void
    })
}

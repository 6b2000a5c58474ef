import type * as Fiber from "effect/Fiber"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Refusal } from "../api/refusals.ts"
import type { RequestHead } from "../handlers/envelope.ts"
import type { Plain, Shortcut } from "../handlers/shortcut.ts"
import type { BodyTaker, NodeRequest, NodeResponse } from "./node.ts"
import type { Watched } from "./Watch.ts"

const TAKEN = Symbol("taken")

interface Marked {
  [TAKEN]?: Pick<Taken, "add" | "begin" | "end">
}

// Three functions for all requests: functions of its own for each would be kept with it while it waits.
function came(this: Marked, chunk: Uint8Array): void {
  this[TAKEN]!.add(chunk)
}

function cameAll(this: Marked): void {
  this[TAKEN]!.begin()
}

function closed(this: Marked): void {
  this[TAKEN]!.end()
}

const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes
}

/** A request that was taken from Node, until its response is closed. As many of them wait as the server bears: it keeps little. */
export class Taken implements BodyTaker {
  readonly shortcut: Shortcut
  readonly head: RequestHead
  readonly response: NodeResponse & Marked
  /** When it came, by `performance.now`. */
  readonly begun = performance.now()
  /** How it is watched, once its answer was begun. */
  watched: Watched | undefined = undefined
  /** What it is answered, once that is known. */
  answer: Plain | HttpServerResponse | undefined = undefined
  private readonly whenThere: (taken: Taken) => void
  private chunks: Array<Uint8Array> | undefined = undefined
  private fiber: Fiber.Fiber<unknown, Refusal> | undefined = undefined

  /** `whenThere` is called once the body is there as a whole. */
  constructor(shortcut: Shortcut, head: RequestHead, response: NodeResponse, whenThere: (taken: Taken) => void) {
    this.shortcut = shortcut
    this.head = head
    this.response = response
    this.whenThere = whenThere
  }

  /** Collects the body. */
  waitForBody(request: NodeRequest & Marked): void {
    if (request.handOver !== undefined) return request.handOver(this)
    request[TAKEN] = this
    request.on("data", came)
    request.on("end", cameAll)
  }

  /** Ends the fiber that works on the answer when nobody wants it any more. */
  waitFor(fiber: Fiber.Fiber<unknown, Refusal>): void {
    this.fiber = fiber
    this.response[TAKEN] = this
    this.response.on("close", closed)
  }

  add(chunk: Uint8Array): void {
    if (this.chunks === undefined) this.chunks = [chunk]
    else this.chunks.push(chunk)
  }

  begin(): void {
    this.whenThere(this)
  }

  /** The body, once: it is let go then. */
  readBody(): Uint8Array {
    const { chunks = [] } = this
    this.chunks = undefined
    return joined(chunks)
  }

  end(): void {
    if (!this.response.writableEnded) this.fiber?.interruptUnsafe()
  }
}

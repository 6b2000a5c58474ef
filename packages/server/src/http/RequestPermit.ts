/** The permit of an admitted request, which counts it by its phase, and the messages of `node:http` that carry it. */
import { IncomingMessage, ServerResponse } from "node:http"

/**
 * The phases of a request: its body arrives; the server works on it; it waits for an organization's directory; it is answered by a
 * stream; its answer is written in parts, as the client reads; its answer was written, and the client has not read all of it.
 */
export type Phase = "receiving" | "inFlight" | "atDirectory" | "streaming" | "answering" | "answered"

/** How many requests are in each phase. */
export type PhaseCounts = { [phase in Phase]: number }

/** The permit of a request, from its head until its response is closed. */
export class RequestPermit {
  readonly response: ServerResponse
  private readonly counts: PhaseCounts
  private current: Phase = "receiving"

  constructor(response: ServerResponse, counts: PhaseCounts) {
    this.response = response
    this.counts = counts
    counts.receiving++
  }

  get phase(): Phase {
    return this.current
  }

  /** The request was received completely. */
  begin(): void {
    if (this.current === "receiving") this.enter("inFlight")
  }

  /** The request begins to wait for a directory. */
  suspend(): void {
    if (this.current === "inFlight") this.enter("atDirectory")
  }

  /** The request has waited for the directory. It counts as in flight again, above `--max-in-flight` if need be. */
  resume(): void {
    if (this.current === "atDirectory") this.enter("inFlight")
  }

  /** The answer is a stream, which may last for hours. */
  beginStream(): void {
    if (this.current === "inFlight" || this.current === "atDirectory") this.enter("streaming")
  }

  /** A part of the answer was written: the rest waits for the client. */
  beginAnswer(): void {
    if (this.current === "inFlight" || this.current === "atDirectory") this.enter("answering")
  }

  /** The answer was written completely. */
  end(): void {
    this.enter("answered")
  }

  /** The response was closed: the request is not counted any more. */
  release(): void {
    this.end()
    this.counts.answered--
  }

  private enter(phase: Phase): void {
    this.counts[this.current]--
    this.counts[phase]++
    this.current = phase
  }
}

export class PermittedRequest extends IncomingMessage {
  /** None for a request that was rejected, and for one of the second port. */
  permit: RequestPermit | undefined = undefined
  /** Whether the request is to be answered as soon as its body has arrived: one that was sent ahead waits. */
  isReceiving = false

  /** Begins the request with the end of its body, whether or not anyone has read it. */
  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk === null && this.isReceiving) this.permit?.begin()
    return super.push(chunk, encoding)
  }
}

export class PermittedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  permit: RequestPermit | undefined = undefined

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    this.permit?.beginAnswer()
    return super.write(chunk, encoding as BufferEncoding, callback as () => void)
  }

  /** Ends the request, too. `finish` would come too late: it waits for clients that do not read their answers. */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    super.end(chunk, encoding as BufferEncoding, callback as () => void)
    this.permit?.end()
    return this
  }
}

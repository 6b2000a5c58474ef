import type { BodyReceiver } from "@sojourn/adapter-http"
import { IncomingMessage } from "node:http"
import { Readable } from "node:stream"

/**
 * A request whose body can bypass its stream: a receiver gets the chunks from Node's parser. For a small body
 * the stream and its events are a fifteenth of the cost of a movement.
 */
export class Incoming extends IncomingMessage {
  /** The permit that begins once the request was received completely. */
  whenComplete: { readonly begin: () => void } | undefined = undefined
  /** The request's permit of admission control: between `suspend` and `resume` the request is not in flight. */
  permit: { readonly suspend: () => void; readonly resume: () => void; readonly beginStream: () => void } | undefined =
    undefined
  private receiver: BodyReceiver | undefined = undefined
  private isHandedOver = false

  /** Passes the body to the receiver instead of the stream. Must be called before anything reads from the stream. */
  handOver(receiver: BodyReceiver): void {
    this.receiver = receiver
    this.isHandedOver = true
  }

  /** Called by Node's parser with each chunk of the body, and with null at its end. */
  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) this.whenComplete?.begin()
    const { receiver } = this
    if (receiver === undefined) return super.push(chunk, encoding)
    if (chunk !== null) receiver.receive(chunk)
    else {
      this.receiver = undefined
      receiver.complete()
    }
    return true
  }

  /** Forgets the head, of which nothing is used any more while an answer lasts for hours. */
  forgetHead(): void {
    this.headers = {}
    this.rawHeaders = []
  }

  /** Called by Node to discard a body that was not read. A body that was handed over needs none of it. */
  override resume(): this {
    return this.isHandedOver ? this : super.resume()
  }

  /** Whether the whole body was handed over. Its stream then counts as ended. */
  get isHandedOverWhole(): boolean {
    return this.isHandedOver && this.complete
  }
}

const streamed = Object.getOwnPropertyDescriptor(Readable.prototype, "readableEnded")!

// Node releases a request once `readableEnded` holds. There it is an accessor, which the types do not say.
Object.defineProperty(Incoming.prototype, "readableEnded", {
  get(this: Incoming) {
    return this.isHandedOverWhole || (streamed.get!.call(this) as boolean)
  }
})

import type { BodyReceiver } from "@sojourn/adapter-http"
import { IncomingMessage } from "node:http"
import { Readable } from "node:stream"

/**
 * A request whose body may be handed over as Node's parser finds it, past the stream that it is otherwise. Of a small body
 * the stream, with its events and its end, is a fifteenth of all that a movement costs.
 */
export class Incoming extends IncomingMessage {
  /** Is told once that the request is there as a whole. */
  whenWhole: { readonly work: () => void } | undefined = undefined
  /** What admission control knows of the request: it is not work of this server between `suspend` and `resume`. */
  admitted: { readonly suspend: () => void; readonly resume: () => void } | undefined = undefined
  private taker: BodyReceiver | undefined = undefined
  private isHandedOver = false

  /** Hands the body over, before anybody read of it: nothing of it is streamed. */
  handOver(taker: BodyReceiver): void {
    this.taker = taker
    this.isHandedOver = true
  }

  /** Node's parser gives the body here, and null when it is complete. */
  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) this.whenWhole?.work()
    const { taker } = this
    if (taker === undefined) return super.push(chunk, encoding)
    if (chunk !== null) taker.receive(chunk)
    else {
      this.taker = undefined
      taker.complete()
    }
    return true
  }

  /** Node lets the rest of a body flow away that nobody read. */
  override resume(): this {
    return this.isHandedOver ? this : super.resume()
  }

  /** Has it been handed over as a whole? Its stream has ended then. */
  get isTaken(): boolean {
    return this.isHandedOver && this.complete
  }
}

const streamed = Object.getOwnPropertyDescriptor(Readable.prototype, "readableEnded")!

// Node lets go of a request whose stream has ended. It is an accessor there, which its types do not say.
Object.defineProperty(Incoming.prototype, "readableEnded", {
  get(this: Incoming) {
    return this.isTaken || (streamed.get!.call(this) as boolean)
  }
})

/** The requests and responses of the server: those of `node:http`, with the permit of the request. */
import { IncomingMessage, ServerResponse } from "node:http"
import type { RequestPermit } from "./RequestPermit.ts"

export class PermittedRequest extends IncomingMessage {
  /** None for a request that was rejected, and for one of the second port. */
  permit: RequestPermit | undefined = undefined
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

import { Data } from "effect"

/**
 * A server cannot be reached, or must not be. The reason is a sentence for an operator, without the error's own text.
 */
export class ServerUnreachable extends Data.TaggedError("ServerUnreachable")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

import * as Data from "effect/Data"

/**
 * A server cannot be reached, or must not be. The reason is a sentence for an operator, without the error's own text.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServerUnreachable extends Data.TaggedError("ServerUnreachable")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

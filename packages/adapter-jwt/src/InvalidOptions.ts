import * as Data from "effect/Data"

/**
 * The options cannot be used; `reason` says which one and why.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

import { Data } from "effect"

/** The options cannot be used; `reason` says which one and why. */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

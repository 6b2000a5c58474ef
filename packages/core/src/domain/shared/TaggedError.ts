/** The base of core's errors: a tagged error with a message. */
import * as Data from "effect/Data"

/**
 * Makes a base class like `Data.TaggedError`, whose instances have a `message`: a sentence for logs, debuggers and clients of an
 * interface. It is the same for all instances, so it contains no value of a request.
 */
export const TaggedError = <Tag extends string>(tag: Tag, message: string) => {
  const Base = Data.TaggedError(tag)
  Object.defineProperty(Base.prototype, "message", { value: message, configurable: true, writable: true })
  return Base
}

/** Failures of the laws' helpers name the line of the law that called the helper. */
import { Effect } from "effect"

/** A stack frame in the laws, and one in their helpers. */
const OF_LAWS = /[\\/]laws[\\/]/
const OF_HELPERS = /[\\/]laws[\\/](?:shared[\\/]|.*[\\/]fixtures\.[jt]s)/

const framesOf = (stack = ""): ReadonlyArray<string> => stack.split("\n").filter((line) => /^\s+at /.test(line))

/** Replaces the stack of an error of a helper by that of its call, from the law's frame on. */
const relocate = (error: unknown, call: string | undefined): void => {
  if (!(error instanceof Error)) return
  const failed = framesOf(error.stack).find((frame) => OF_LAWS.test(frame))
  const frames = framesOf(call)
  const law = frames.findIndex((frame) => OF_LAWS.test(frame) && !OF_HELPERS.test(frame))
  if (law === -1 || (failed !== undefined && !OF_HELPERS.test(failed))) return
  error.stack = [`${error.name}: ${error.message}`, ...frames.slice(law)].join("\n")
}

/**
 * A helper of laws, synchronous or an effect, whose failed assertions name the line of the law that called it. The stack of an
 * effect does not hold that line, so it is taken when the helper is called.
 */
export const located = <Helper extends (...args: any) => any>(helper: Helper): Helper => {
  const called = (...args: ReadonlyArray<unknown>) => {
    const call = new Error().stack
    try {
      const result = helper(...args)
      if (!Effect.isEffect(result)) return result
      return Effect.catchDefect(result, (defect) => {
        relocate(defect, call)
        return Effect.die(defect)
      })
    } catch (error) {
      relocate(error, call)
      throw error
    }
  }
  return called as Helper
}

import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/**
 * What spans may hold when they leave the process: of these names, all values come from this code and the operator's
 * configuration. Anything else, such as statements, URLs and messages, may hold what a client sent.
 */
const KNOWN = new Set([
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "db.namespace",
  "db.system.name",
  "sojourn.batch.size"
])

/** Of how something failed, its kind: messages and stacks are for the log. */
class Failed {
  readonly name: string
  readonly message = ""
  readonly stack = ""
  constructor(error: unknown) {
    const tag = (error as { readonly _tag?: unknown } | undefined)?._tag
    this.name = typeof tag === "string" ? tag : "Error"
  }
}

const kindOf = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  const error = Exit.findErrorOption(exit)
  return Option.isSome(error) || Exit.hasDies(exit) ? Exit.fail(new Failed(Option.getOrUndefined(error))) : exit
}

/** Of what nobody asked for, such as the looks of the server at its own state, nothing is recorded. */
const isOfRequest = ({ parent, kind }: Parameters<Tracer.Tracer["span"]>[0]): boolean =>
  Option.isSome(parent) || kind === "server"

/** A tracer of requests, whose spans let through what is known to be about nobody, and nothing else. */
export const redacted = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      const span = tracer.span({ ...options, sampled: options.sampled && isOfRequest(options) })
      if (!span.sampled) return span
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (KNOWN.has(key)) attribute(key, value)
        },
        event: () => {},
        end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, kindOf(exit))
      })
    }
  })

import { Exit, Option, Tracer } from "effect"

/**
 * The attributes that exported spans may have: their values come from this code and the operator's configuration alone. Others,
 * such as statements, URLs and messages, may contain input of clients.
 */
const KNOWN = new Set([
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "db.system.name",
  "sojourn.batch.size"
])

/** The kind of a failure, without messages and stacks, which are for the log. */
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

/** Spans without a request, such as those of sampling, are not recorded. */
const isOfRequest = ({ parent, kind }: Parameters<Tracer.Tracer["span"]>[0]): boolean =>
  Option.isSome(parent) || kind === "server"

/** A tracer of requests whose spans have only attributes that identify no person. */
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

import * as Context from "effect/Context"

/** How large a body may be, in bytes. */
export const LARGEST_BODY = 1024 * 1024

/** How large the body of an endpoint may be, in bytes: an annotation of its definition. */
export const LargestBody = Context.Reference<number>("@sojourn/adapter-http/LargestBody", {
  defaultValue: () => LARGEST_BODY
})

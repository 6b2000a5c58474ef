import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"

/**
 * 204 and nothing: how the interface answers an empty list. Beside a list it stands for `undefined` alone. Effect's own
 * `NoContent` takes whatever the list cannot encode, and would pass a bug off as "none".
 */
export const EmptyList = Schema.Undefined.pipe(
  HttpApiSchema.asNoContent({ decode: () => undefined }),
  HttpApiSchema.status(204)
)

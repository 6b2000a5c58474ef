/** Serves the administrators' page with its security headers. `packages/page` has the files. */
import { type ExtraRoute, problem, staticContent } from "@sojourn/adapter-http"
import { type PageFile, type PageSettings, pageFiles, policyOf } from "@sojourn/page"
import { Effect } from "effect"

const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer"
}

/** The notices have one name for every content. */
const isHashed = (path: string): boolean => /^\/page\/.+-\w{8}\./.test(path)

/** A file as an answer. The document has no name that changes with its content, and is asked for again each time. */
const answerOf = ({ path, type, text }: PageFile, policy: string) =>
  staticContent(text, type, {
    "content-security-policy": policy,
    ...HEADERS,
    "cache-control": isHashed(path) ? "public, max-age=31536000, immutable" : "no-store"
  })

/** The routes of the administrators' page. Its files are compressed when the first of them is asked for. */
export const pageRoutes = Effect.fnUntraced(function* (settings: PageSettings) {
  const policy = policyOf(settings)
  const files = yield* Effect.cached(
    Effect.gen(function* () {
      const all = yield* Effect.promise(() => pageFiles(settings))
      return new Map(
        yield* Effect.forEach(all, (file) =>
          Effect.map(answerOf(file, policy), (answer) => [file.path, answer] as const)
        )
      )
    }).pipe(Effect.uninterruptible)
  )
  const route = (path: string): ExtraRoute => ({
    method: "GET",
    path,
    answer: (head, { name }) =>
      Effect.map(
        files,
        (byPath) =>
          byPath.get(path.replace(":name", name ?? ""))?.(head) ?? problem(404, "There is nothing at this path.")
      )
  })
  return [route("/"), route("/favicon.svg"), route("/page/:name")]
})

import { type Answer, bytes, type ExtraRoute, problem } from "@sojourn/adapter-http"
import { type PageFile, type PageSettings, pageFiles, policyOf } from "@sojourn/page"
import * as Effect from "effect/Effect"
import { gzipSync } from "node:zlib"

const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "accept-encoding"
}

/** The name of a file below `/page/` changes with its content. */
const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable" }

/** The notices have one name for every content. */
const isHashed = (path: string): boolean => /^\/page\/.+-\w{8}\./.test(path)

type Answers = { readonly [Encoding in "gzip" | "identity"]: Answer }

const answersOf = ({ path, type, text }: PageFile, policy: string): Answers => {
  const headers = { "content-security-policy": policy, ...HEADERS, ...(isHashed(path) && IMMUTABLE) }
  return {
    gzip: bytes(gzipSync(text, { level: 9 }), type, { ...headers, "content-encoding": "gzip" }),
    identity: bytes(new TextEncoder().encode(text), type, headers)
  }
}

/** Whether a client takes gzip: named, or by `*`, and not with a weight of 0. */
const takesGzip = (accepted: string | undefined): boolean =>
  accepted?.split(",").some((one) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one)) ?? false

/** The routes of the administrators' page. Its files are compressed when the first of them is asked for. */
export const pageRoutes = Effect.fnUntraced(function* (settings: PageSettings) {
  const policy = policyOf(settings)
  const files = yield* Effect.cached(
    Effect.map(
      Effect.promise(() => pageFiles(settings)),
      (files) => new Map(files.map((file) => [file.path, answersOf(file, policy)]))
    )
  )
  const route = (path: string): ExtraRoute => ({
    method: "GET",
    path,
    answer: ({ headers }, { name }) =>
      Effect.map(files, (byPath) => {
        const answers = byPath.get(path.replace(":name", name ?? ""))
        if (answers === undefined) return problem(404, "There is nothing at this path.")
        return takesGzip(headers["accept-encoding"]) ? answers.gzip : answers.identity
      })
  })
  return [route("/"), route("/favicon.svg"), route("/page/:name")]
})

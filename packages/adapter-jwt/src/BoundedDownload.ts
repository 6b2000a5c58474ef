/** Downloads documents of issuers, with a bound of their size and without following redirects. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** The largest response that is read, in bytes. */
export const LARGEST_ANSWER = 1024 * 1024

/** A document could not be loaded from the issuer; `reason` says why. */
export class LoadFailed extends Data.TaggedError("LoadFailed")<{ readonly reason: string }> {}

/** A response's text, and its unparsed `Date` header. */
export interface Answer {
  readonly text: string
  readonly date: string | undefined
}

const failed = (reason: string) => new LoadFailed({ reason })

const limited = <E, R>(body: Stream.Stream<Uint8Array, E, R>) =>
  Stream.mapAccumEffect(
    body,
    () => 0,
    (before, chunk: Uint8Array) => {
      const size = before + chunk.length
      return size > LARGEST_ANSWER
        ? Effect.fail(failed("the answer is too large"))
        : Effect.succeed([size, [chunk]] as const)
    }
  )

/**
 * Downloads a document of at most {@link LARGEST_ANSWER} bytes. Fails with `LoadFailed` for a larger one, for a status other
 * than 200, and for a response of another URL: redirects are not followed, because only the operator decides where keys are.
 */
export const download = (client: HttpClient.HttpClient, url: string): Effect.Effect<Answer, LoadFailed> =>
  Effect.gen(function* () {
    const response = yield* HttpClient.withScope(client).execute(HttpClientRequest.get(url, { acceptJson: true }))
    if (response.status !== 200) return yield* failed(`the answer has status ${response.status}`)
    if (response.url !== url) return yield* failed("the answer is of another address")
    const text = yield* limited(response.stream).pipe(Stream.decodeText, Stream.mkString)
    return { text, date: response.headers.date }
  }).pipe(
    Effect.scoped,
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    Effect.catchTag("HttpClientError", (error) => failed(`the request failed (${error.reason._tag})`))
  )

import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** The largest answer that is read, in octets. */
export const LARGEST_ANSWER = 1024 * 1024

/** Something could not be loaded from the issuer; `reason` says what and why. */
export class LoadFailed extends Data.TaggedError("LoadFailed")<{ readonly reason: string }> {}

/** An answer's text, and its `Date` header as it came. */
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
 * What the operator's address answers. Fails with `LoadFailed` for a status other than 200, an answer of another address
 * (a redirect is not followed: where the keys are is the operator's word alone), and more than {@link LARGEST_ANSWER}.
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

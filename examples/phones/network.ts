/** A network as phones have it: a request is lost on its way, or it arrives and its answer is lost on the way back. */
import { Effect, Layer, Random, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"

const lost = (request: HttpClientError.TransportError["request"]) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({ request, description: "the connection broke" })
    })
  )

/** An HTTP client on which one request in so many breaks, half of them after they did their work. */
export const layerBadNetwork = (oneIn: number) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(
      HttpClient.HttpClient,
      HttpClient.transform((response, request) =>
        Effect.flatMap(Random.next, (luck) => {
          if (luck > 1 / oneIn) return response
          return luck > 0.5 / oneIn ? lost(request) : Effect.andThen(response, lost(request))
        })
      )
    )
  ).pipe(Layer.provide(FetchHttpClient.layer))

const isTransient = (error: { readonly _tag: string }) =>
  error._tag === "HttpClientError" || error._tag === "ServiceUnavailable"

/**
 * Asks until there is an answer, with the very same request: nobody knows whether one that broke did its work. The
 * Idempotency-Key of an entrance, and the token and the time of an exit, are what makes the second one harmless.
 */
export const insist =
  (onRetry: Effect.Effect<void>) =>
  <A, E extends { readonly _tag: string }, R>(request: Effect.Effect<A, E, R>) =>
    request.pipe(
      Effect.tapError((error) => (isTransient(error) ? onRetry : Effect.void)),
      Effect.retry({
        while: isTransient,
        schedule: Schedule.exponential("5 millis").pipe(Schedule.jittered),
        times: 12
      })
    )

/** What the compiler checks: each method takes what its endpoint decodes, and gives what its endpoint encodes. */
import type { SojournApi } from "@sojourn/adapter-http/api"
import type { SojournClient } from "@sojourn/client"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

type Groups = (typeof SojournApi)["groups"]

/** With `undefined` for what may be left out, which JSON leaves out as well; types say nothing of a list's length. */
type Loose<T> =
  T extends ReadonlyArray<infer Element>
    ? ReadonlyArray<Loose<Element>>
    : T extends object
      ? { [K in keyof T]: {} extends Pick<T, K> ? Loose<T[K]> | undefined : Loose<T[K]> }
      : T

/** The JSON of schemas as they were written: the definition wraps each into a codec of any JSON. */
type JsonOf<S> = S extends { readonly schema: { readonly Encoded: infer Encoded } }
  ? Encoded
  : S extends { readonly Encoded: infer Encoded }
    ? Encoded
    : never

/** What a list without elements is encoded as, and an answer without a body, has no type of JSON. */
type Given<E> = Exclude<JsonOf<HttpApiEndpoint.Success<E>>, void>

type Endpoints<Group> = HttpApiGroup.Endpoints<Group>

type Method<G extends keyof Groups, Name> = G extends keyof SojournClient
  ? Name extends keyof SojournClient[G]
    ? SojournClient[G][Name]
    : never
  : never

type BodyOf<M> = M extends (input: infer Input, ...rest: never) => unknown
  ? Input extends { readonly body: infer Body }
    ? Body
    : never
  : never

type ResultOf<M> = M extends (...args: never) => infer Answer ? Awaited<Answer> : never

/** Images and files are blobs, whatever their types. */
type OfBlobs = "floorplan.put" | "floorplan.get" | "import.places" | "import.accesses"

type Check<G extends keyof Groups, E> = E extends { readonly identifier: infer Name extends string }
  ? [Method<G, Name>] extends [never]
    ? `${G}.${Name}: no method`
    : `${G & string}.${Name}` extends OfBlobs
      ? never
      : [Loose<BodyOf<Method<G, Name>>>] extends [PayloadOf<E>]
        ? [Given<E>] extends [never]
          ? never
          : E extends { readonly path: "/presence/stream" }
            ? never
            : [Given<E>] extends [ResultOf<Method<G, Name>>]
              ? never
              : `${G}.${Name}: another result`
        : `${G}.${Name}: another body`
  : never

type PayloadOf<E> = Loose<JsonOf<HttpApiEndpoint.Payload<E>>>

type Faults = { [G in keyof Groups & string]: Check<G, Endpoints<Groups[G]>> }[keyof Groups & string]

/** Does not compile when a method has another type than its endpoint: the error names them. */
export const noFaults: [Faults] extends [never] ? true : Faults = true

/** A check that finds nothing wrong must be able to: the method of another endpoint is a fault. */
type Swapped = [Given<Extract<Endpoints<Groups["place"]>, { readonly identifier: "create" }>>] extends [
  ResultOf<SojournClient["organization"]["get"]>
]
  ? true
  : false
export const isSwapSeen: Swapped = false

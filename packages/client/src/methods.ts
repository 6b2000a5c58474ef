/** The types of the methods, made of the table of endpoints and the types of the OpenAPI document. */
import type { Answer } from "./answer.ts"
import type { ENDPOINTS } from "./endpoints.ts"
import type { CallOptions } from "./call.ts"
import type { operations, PresenceMessage } from "./openapi.ts"
import type { StreamOptions } from "./presence.ts"

/** Parameters that are texts in a URL and something else to a program. */
interface Typed {
  readonly organizationId: number
  readonly placeId: number
  readonly musterId: number
  readonly webhookId: number
  readonly deviceId: number
  readonly id: number
  readonly level: number
  readonly limit: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  readonly rotation: number
  readonly exitTokens: ReadonlyArray<string>
  readonly orgAuthServerIds: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<number>
}

type Parameters<P> = [NonNullable<P>] extends [never]
  ? {}
  : {
      readonly [K in keyof NonNullable<P>]:
        | (K extends keyof Typed ? Typed[K] : NonNullable<P>[K])
        | ({} extends Pick<NonNullable<P>, K> ? undefined : never)
    }

/** An image or a file is a `Blob`, whose `type` is its own. */
type Body<O, Kind> = Kind extends "blob"
  ? { readonly body: Blob }
  : O extends { readonly requestBody: { readonly content: infer C } }
    ? { readonly body: C[keyof C] }
    : {}

type Key<Headers> = "idempotency-key" extends keyof NonNullable<Headers>
  ? { readonly idempotencyKey?: string | undefined }
  : {}

type Input<O extends operations[keyof operations], Kind> = Parameters<O["parameters"]["path"]> &
  Parameters<O["parameters"]["query"]> &
  Key<O["parameters"]["header"]> &
  Body<O, Kind>

type Content<Response, Accept> = Response extends { readonly content: infer C }
  ? Accept extends keyof C
    ? C[Accept]
    : never
  : undefined

type Result<O extends operations[keyof operations], Row extends ReadonlyArray<string>> = Exclude<
  Content<
    O["responses"][keyof O["responses"]],
    Row extends readonly [any, any, any, any, infer Accept] ? Accept : "application/json"
  >,
  // A list without elements is answered without a body.
  Row[3] extends "list" ? undefined : never
>

type Statuses<Text> = Text extends `${infer Status extends number} ${infer More}`
  ? Status | Statuses<More>
  : Text extends `${infer Status extends number}`
    ? Status
    : never

type Given<
  O extends operations[keyof operations],
  Row extends ReadonlyArray<string>
> = Row[4] extends "text/event-stream"
  ? AsyncGenerator<PresenceMessage, void, void>
  : Answer<Row[4] extends `image/${string}` ? Blob : Result<O, Row>, Statuses<Row[2]>>

type Options<Row extends ReadonlyArray<string>> = Row[4] extends "text/event-stream" ? StreamOptions : CallOptions

type Call<Input, Options, Given> = {} extends Input
  ? (input?: Input, options?: Options) => Given
  : (input: Input, options?: Options) => Given

/** `readMusterCsv` is `muster.readMuster` with another type of answer. */
type Operation<Id> = Id extends keyof operations
  ? operations[Id]
  : Id extends `${infer Other extends keyof operations}Csv`
    ? operations[Other]
    : never

type Endpoints = typeof ENDPOINTS

/** Every endpoint, by group and name. */
export type SojournClient = {
  readonly [Group in keyof Endpoints]: {
    readonly [Name in keyof Endpoints[Group]]: Endpoints[Group][Name] extends infer Row extends ReadonlyArray<string>
      ? Call<
          Input<Operation<`${Group}.${Name & string}`>, Row[3]>,
          Options<Row>,
          Given<Operation<`${Group}.${Name & string}`>, Row>
        >
      : never
  }
}

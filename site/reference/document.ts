/** The OpenAPI document, as far as the reference reads it. */
import { SojournApi } from "@sojourn/adapter-http/api"
import * as OpenApi from "effect/http-api/OpenApi"

export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly examples?: ReadonlyArray<unknown>
}

export interface Body {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
  readonly security?: ReadonlyArray<unknown>
}

export interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The document of the definition: `site/test/openapi.test.ts` sees that a server serves this very one. */
export const document = OpenApi.fromApi(SojournApi) as unknown as Document

/** Every operation with its method and path, in the document's order. */
export const operations = (of: Document): ReadonlyArray<readonly [method: string, path: string, Operation]> =>
  Object.entries(of.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [method.toUpperCase(), path, operation] as const)
  )

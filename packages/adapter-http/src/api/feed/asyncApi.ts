/** The stream of presence events as an AsyncAPI 3 document, made of the schemas of the OpenAPI document. */

type Json = { readonly [member: string]: any }

const PREFIX = "#/components/schemas/"

const referred = (json: unknown): ReadonlyArray<string> =>
  [...JSON.stringify(json).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!)

/** The schemas to which a value refers, and those to which they refer. */
const schemasOf = (value: unknown, all: Json): Record<string, Json> => {
  const found: Record<string, Json> = {}
  const pending = [...referred(value)]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name in found) continue
    found[name] = all[name]
    pending.push(...referred(all[name]))
  }
  return found
}

/** A message of the stream: its type and id are lines of the server-sent event, and its data is JSON. */
const messageOf = ({ properties: { event, data } }: Json, schemas: Json) => {
  const type: string = event.enum[0]
  const { contentSchema } = data.$ref === undefined ? data : schemas[data.$ref.slice(PREFIX.length)]
  const example = schemas[String(contentSchema.$ref).slice(PREFIX.length)]?.examples[0] ?? {}
  return {
    name: type,
    title: `The message ${type}`,
    contentType: "application/json",
    headers: {
      type: "object",
      properties: {
        event: { type: "string", const: type },
        id: { type: "string", description: "Resumes the stream after this message, as `Last-Event-ID`." }
      },
      required: ["event"]
    },
    payload: contentSchema.$ref === undefined ? { type: "object" } : contentSchema,
    examples: [{ headers: { event: type, id: "MS4xMTg" }, payload: example }]
  }
}

/** The query of the request as a schema. */
const queryOf = (parameters: ReadonlyArray<Json>): Json => {
  const query = parameters.filter((parameter) => parameter["in"] === "query")
  return {
    type: "object",
    properties: Object.fromEntries(query.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false
  }
}

/** The server sends the messages of the channel to each client that asks for them with `GET`. */
const operationOf = ({ summary, parameters }: Json, names: ReadonlyArray<string>): Json => ({
  action: "send",
  title: summary,
  channel: { $ref: "#/channels/presence" },
  messages: names.map((name) => ({ $ref: `#/channels/presence/messages/${name}` })),
  security: [{ $ref: "#/components/securitySchemes/bearer" }],
  bindings: { http: { method: "GET", query: queryOf(parameters), bindingVersion: "0.3.0" } }
})

const PATH = "/presence/stream"

/** Describes the presence stream of an OpenAPI document. */
export const asyncApi = ({ info, paths, components: { schemas } }: Json): Json => {
  const operation = paths[PATH].get
  const { $ref } = operation.responses["200"].content["text/event-stream"].schema
  const members: ReadonlyArray<Json> = schemas[$ref.slice(PREFIX.length)].anyOf
  const messages = Object.fromEntries(
    members.map((member) => messageOf(member, schemas)).map((message) => [message.name, message])
  )
  const names = Object.keys(messages)
  return {
    asyncapi: "3.0.0",
    info: {
      title: `${info.title}: presence events`,
      version: info.version,
      description: operation.description,
      license: { name: info.license.name }
    },
    defaultContentType: "application/json",
    channels: {
      presence: {
        address: PATH,
        title: operation.summary,
        description: "Server-sent events over HTTP, at the server that this document comes from.",
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]))
      }
    },
    operations: { sendPresence: operationOf(operation, names) },
    components: {
      messages,
      schemas: schemasOf(messages, schemas),
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } }
    }
  }
}

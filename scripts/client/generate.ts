/** The generated part of `@sojourn/client`: the types of the JSON, and every endpoint as a method and as a row of a table. */
import { type Document, type Operation, operations, type Parameter } from "../../site/reference/document.ts"
import { type Components, declarations, typeOf } from "./types.ts"

/** Types of parameters that are texts in a URL and something else to a program. */
const PARAMETERS: Readonly<Record<string, string>> = {
  organizationId: "number",
  placeId: "number",
  musterId: "number",
  webhookId: "number",
  deviceId: "number",
  id: "number",
  level: "number",
  exitTokens: "ReadonlyArray<string>",
  orgAuthServerIds: "ReadonlyArray<string>",
  organizations: "ReadonlyArray<number>"
}

/** Names of parameters in a program. The header that resumes a stream is named as the parameter of the query. */
const NAMES: Readonly<Record<string, string>> = { "idempotency-key": "idempotencyKey", "last-event-id": "lastEventId" }

const nameOf = ({ name }: Parameter): string => NAMES[name] ?? name

const statusesOf = ({ responses }: Operation, isWanted: (status: number) => boolean): ReadonlyArray<string> =>
  Object.keys(responses).filter((status) => isWanted(Number(status)))

const isList = (type: string): boolean => type.startsWith("ReadonlyArray<")

/** The media types of an operation's answers, each with the type of the result. Without a body it is `undefined`, or a list without elements. */
const resultsOf = (operation: Operation, components: Components): ReadonlyMap<string, string> => {
  const results = new Map<string, Set<string>>()
  let isSometimesEmpty = false
  for (const status of statusesOf(operation, (status) => status < 400)) {
    const { content } = operation.responses[status]!
    for (const [type, { schema }] of Object.entries(content ?? {})) {
      results.set(type, (results.get(type) ?? new Set()).add(typeOf(schema, components)))
    }
    isSometimesEmpty ||= content === undefined
  }
  if (isSometimesEmpty) for (const types of results.values()) if (![...types].some(isList)) types.add("undefined")
  if (results.size === 0) results.set("application/json", new Set(["undefined"]))
  return new Map([...results].map(([type, of]) => [type, [...of].join(" | ")]))
}

interface Method {
  readonly group: string
  readonly name: string
  readonly signature: string
  readonly row: string
}

const commentOf = (operation: Operation, parameters: ReadonlyArray<Parameter>): string => {
  const lines = [`${operation.summary ?? ""}. ${operation.description ?? ""}`]
  for (const parameter of parameters) lines.push(`@param input.${nameOf(parameter)} ${parameter.description ?? ""}`)
  return `/**\n${lines.map((line) => ` * ${line.replace("?.", "?")}`).join("\n")}\n */`
}

const methodsOf = (
  method: string,
  path: string,
  operation: Operation,
  components: Components
): ReadonlyArray<Method> => {
  const [group = "", operationName = ""] = operation.operationId.split(".")
  const parameters = [...new Map((operation.parameters ?? []).map((one) => [nameOf(one), one])).values()]
  const body = Object.entries(operation.requestBody?.content ?? {})[0]
  const fields = [
    ...parameters.map((parameter) => {
      const type = PARAMETERS[parameter.name] ?? typeOf(parameter.schema, components)
      return `readonly ${nameOf(parameter)}${parameter.required ? "" : "?"}: ${type}${parameter.required ? "" : " | undefined"}`
    }),
    ...(body === undefined ? [] : [`readonly body: ${typeOf(body[1].schema, components)}`])
  ]
  const isNeeded = body !== undefined || parameters.some(({ required }) => required)
  const input = `input${isNeeded ? "" : "?"}: { ${fields.join("; ")} }`
  const refusals = statusesOf(operation, (status) => status >= 400)
  return [...resultsOf(operation, components)].map(([accept, result], index) => {
    const answer =
      accept === "text/event-stream"
        ? `AsyncGenerator<${result}, void, void>`
        : `Answer<${result}, ${refusals.join(" | ") || "never"}>`
    const row = [method, path, refusals.join(" ")]
    if (body?.[0] === "application/x-www-form-urlencoded") row.push("form")
    else if (isList(result)) row.push("list")
    else if (accept !== "application/json") row.push("", accept)
    return {
      group,
      // An answer of another type has a method of its own: `readMusterCsv`.
      name:
        index === 0
          ? operationName
          : `${operationName}${accept.replace(/^text\/(.)/, (_, c: string) => c.toUpperCase())}`,
      signature: `${commentOf(operation, parameters)}\nreadonly NAME: (${input}, options?: CallOptions) => ${answer}`,
      row: JSON.stringify(row)
    }
  })
}

const inGroups = (methods: ReadonlyArray<Method>, line: (method: Method) => string): string =>
  [...new Set(methods.map(({ group }) => group))]
    .map((group) => {
      const lines = methods.filter((method) => method.group === group).map(line)
      return { group, lines }
    })
    .map(({ group, lines }) => `${group}: {\n${lines.join("\n")}\n}`)
    .join(",\n")

/** Whether an endpoint takes or gives images: they are no JSON, and are sent with `fetch` itself. */
const isOfImages = ({ requestBody, responses }: Operation): boolean =>
  [requestBody, ...Object.values(responses)].some((body) =>
    Object.keys(body?.content ?? {}).some((type) => type.startsWith("image/"))
  )

/** The text of the module, not formatted. */
export const generated = (document: Document): string => {
  const { schemas } = document.components
  const methods = operations(document).flatMap(([method, path, operation]) =>
    isOfImages(operation) ? [] : methodsOf(method, path, operation, schemas)
  )
  const members = inGroups(methods, ({ name, signature }) => signature.replace("NAME", name)).replaceAll(
    /^(\w+: \{)$/gm,
    "readonly $1"
  )
  return `/** Generated from the HTTP interface's definition by \`npm run client\`: changes are lost. */
import type { Answer } from "./answer.ts"
import type { CallOptions } from "./http.ts"

${declarations(schemas)}

/** Every endpoint, by group and name. */
export interface SojournClient {
${members}
}

/** Method, path, declared refusals; whether a form is sent or a list answered; the type of the answer where it is not JSON. */
export const ENDPOINTS = {
${inGroups(methods, ({ name, row }) => `${name}: ${row},`)}
} as const
`
}

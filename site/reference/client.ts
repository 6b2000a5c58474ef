/** What `@sojourn/client` is made of besides its code: the types of the OpenAPI document, and the table of its endpoints. */
import openapiTS, { astToString } from "openapi-typescript"
import ts from "typescript"
import { type Document, type Operation, operations } from "./document.ts"

const isSuccess = (status: string): boolean => Number(status) < 400

/** Leaves out examples and refusals, which the table has. Texts of JSON, as in the data of a stream, become what they hold. */
const simplified = (key: string, value: any): unknown =>
  key === "examples"
    ? undefined
    : key === "responses"
      ? Object.fromEntries(Object.entries(value).filter(([status]) => isSuccess(status)))
      : (value?.contentSchema ?? value)

/** What may be left out may also be undefined. */
const orUndefined = (property: ts.PropertySignature): ts.PropertySignature => {
  const { modifiers, name, questionToken, type } = property
  if (questionToken === undefined || type === undefined) return property
  const union = ts.factory.createUnionTypeNode([type, ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)])
  return ts.factory.updatePropertySignature(property, modifiers, name, questionToken, union)
}

/** The types of schemas and operations, by openapi-typescript. */
export const types = async (document: Document): Promise<string> => {
  const nodes = await openapiTS(JSON.parse(JSON.stringify(document, simplified)), {
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    transformProperty: orUndefined
  })
  const isUsed = (node: ts.Node) => !ts.isInterfaceDeclaration(node) || /^(components|operations)$/.test(node.name.text)
  return astToString(nodes.filter(isUsed))
}

const isImage = (type: string): boolean => type.startsWith("image/")

/** Whether a body of this type is sent as it is. */
const isBlob = (type: string): boolean => isImage(type) || type === "text/csv" || type === "application/geo+json"

/** An endpoint of the table for each type that it answers; images of any type are one. */
const rows = (method: string, path: string, { operationId, summary, description, ...operation }: Operation) => {
  const { requestBody, responses } = operation
  const [group = "", name = ""] = operationId.split(".")
  const refusals = Object.keys(responses).filter((status) => Number(status) >= 400)
  const contents = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    isSuccess(status) ? Object.entries(content) : []
  )
  const images = contents.map(([type]) => type).filter(isImage)
  const accepted: ReadonlyMap<string, (typeof contents)[number][1] | undefined> =
    images.length > 0
      ? new Map([[images.join(", "), undefined]])
      : new Map(contents.length === 0 ? [["application/json", undefined]] : contents)
  return [...accepted].map(([accept, media], index) => {
    const isForm = requestBody?.content?.["application/x-www-form-urlencoded"] !== undefined
    const isOfBlob = Object.keys(requestBody?.content ?? {}).some(isBlob)
    const kind = isForm ? "form" : isOfBlob ? "blob" : media?.schema.type === "array" ? "list" : ""
    const row = [method, path, refusals.join(" "), kind, ...(accept === "application/json" ? [] : [accept])]
    // Another type of answer has a method of its own: `readMusterCsv`.
    const suffix = index === 0 ? "" : accept.replace(/^text\/(.)/, (_, first: string) => first.toUpperCase())
    const text = `    /** ${summary}. ${description} */\n    ${name}${suffix}: ${JSON.stringify(row)}`
    return { group, text: text.replace("?.", "?") }
  })
}

/** The table of endpoints, by group and name. */
export const table = (document: Document): string => {
  const all = operations(document).flatMap((operation) => rows(...operation))
  const groups = [...Map.groupBy(all, ({ group }) => group)]
  return `export const ENDPOINTS = {\n${groups
    .map(([group, members]) => `  ${group}: {\n${members.map(({ text }) => text).join(",\n")}\n  }`)
    .join(",\n")}\n} as const\n`
}

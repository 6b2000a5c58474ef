/** An operation as a section of a page. */
import type { Body, Operation } from "./document.ts"
import { type Exchange, example } from "./exchanges.ts"
import { inWords, table } from "./schemas.ts"

const bodyInWords = ({ content }: Body): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => `${inWords(schema)} as \`${type}\``)
    .join(" or ")

const parameters = (operation: Operation): string =>
  (operation.parameters ?? []).length === 0
    ? ""
    : table(
        ["Parameter", "In", "Is", "Meaning"],
        operation.parameters!.map((parameter) => [
          `\`${parameter.name}\`${parameter.required ? "" : " (optional)"}`,
          parameter.in,
          inWords(parameter.schema),
          parameter.description ?? ""
        ])
      )

const answers = ({ responses }: Operation): string =>
  table(
    ["Status", "Body", "Means"],
    Object.entries(responses).map(([status, response]) => [
      status,
      Number(status) < 400 ? bodyInWords(response) : "",
      response.description ?? ""
    ])
  )

export const section = (
  method: string,
  path: string,
  operation: Operation,
  exchanges: ReadonlyArray<Exchange>
): string => {
  const request = operation.requestBody
  return [
    `## ${operation.summary ?? operation.operationId}`,
    `\`${method} ${path}\``,
    operation.description ?? "",
    (operation.security ?? []).length === 0 ? "" : "Needs a bearer token.",
    parameters(operation),
    request === undefined ? "" : `Takes ${bodyInWords(request)}.`,
    answers(operation),
    example(exchanges, method, path)
  ]
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("\n")
}

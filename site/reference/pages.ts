/** The HTTP reference: a page for each group of operations, and one for the shapes. It is made of the OpenAPI document. */
import { type Document, document, operations } from "./document.ts"
import type { Exchange } from "./exchanges.ts"
import { section } from "./operations.ts"
import { shapes } from "./schemas.ts"

export interface ReferencePage {
  readonly path: string
  readonly title: string
  readonly text: string
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const fileName = (tag: string): string => tag.replace(/[^a-z]+/gi, "-").replace(/-$/, "")

const FOOT = `Refusals have an empty body, or a [Problem](./shapes.md#problem) for those who accept \`application/problem+json\`.
What holds everywhere is in [the interface over HTTP](../http.md).\n`

const pageOf = (
  of: Document,
  exchanges: ReadonlyArray<Exchange>,
  tag: string,
  description: string | undefined
): ReferencePage => ({
  path: `reference/${fileName(tag)}.md`,
  title: upper(tag),
  text: [
    `# ${upper(tag)}\n`,
    ...(description === undefined ? [] : [`${description}\n`]),
    ...operations(of)
      .filter(([, , operation]) => operation.tags.includes(tag))
      .map(([method, path, operation]) => section(method, path, operation, exchanges)),
    FOOT
  ].join("\n")
})

/** With an example of each operation that `exchanges` has one of. */
export const referencePages = (
  exchanges: ReadonlyArray<Exchange> = [],
  of: Document = document
): ReadonlyArray<ReferencePage> => [
  ...of.tags.map(({ name, description }) => pageOf(of, exchanges, name, description)),
  { path: "reference/shapes.md", title: "Shapes", text: `# Shapes\n\n${shapes(of)}` }
]

/** The CSV of endpoints that answer it beside JSON. */

interface Described {
  readonly responses: { readonly [status: string]: { readonly content?: object } }
}

/** Adds the CSV to the answers that the document describes: the definition encodes JSON alone. */
export const withCsv = <Operation extends object>(operation: Operation) => {
  const { responses } = operation as Described
  const success = responses["200"]
  const content = { ...success?.content, "text/csv": { schema: { type: "string" } } }
  return { ...operation, responses: { ...responses, 200: { ...success, content } } }
}

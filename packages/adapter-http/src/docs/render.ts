/** Renders the OpenAPI document as one page, on which each operation can be read and tried. */
import { Html, html, type Part } from "./html.ts"
import { exampleOf, type Schema, type Schemas, typeOf } from "./schema.ts"

interface Content {
  readonly [mediaType: string]: { readonly schema?: Schema }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly security: ReadonlyArray<unknown>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

/** What the page shows of an OpenAPI document. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Schemas }
}

/** The style and the script of the page, which are inlined: it loads nothing. */
export interface Assets {
  readonly style: string
  readonly script: string
}

const PROBLEM = "application/problem+json"

/** A text with code between backquotes. */
const prose = (text: string | undefined): Part =>
  text?.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

/** The content of a request or an answer, by media type. Problems are described once, at the top of the page. */
const contentOf = ({ [PROBLEM]: _, ...content }: Content = {}): Part =>
  Object.entries(content).map(([type, { schema = {} }]) => html`<div><code>${type}</code>: ${typeOf(schema)}</div>`)

const parameterTable = (parameters: ReadonlyArray<Parameter>): Part =>
  parameters.length > 0 &&
  html`<table>
    <caption>
      Parameters
    </caption>
    <tbody>
      ${parameters.map(
        ({ name, in: where, required, description, schema }) =>
          html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td>${where}${required === true ? "" : ", optional"}</td>
            <td>${typeOf(schema)}. ${prose(description)}</td>
          </tr>`
      )}
    </tbody>
  </table>`

const responseTable = (responses: Operation["responses"]): Part =>
  html`<table>
    <caption>
      Answers
    </caption>
    <tbody>
      ${Object.entries(responses).map(
        ([status, { description, content }]) =>
          html`<tr>
            <th scope="row">${status}</th>
            <td>${prose(description)}</td>
            <td>${contentOf(content)}</td>
          </tr>`
      )}
    </tbody>
  </table>`

/** The kinds of problems, where the schema lists them. */
const problemTable = ({ "x-problem-types": types }: Schema): Part =>
  types !== undefined &&
  html`<table>
    <caption>
      Types
    </caption>
    <tbody>
      ${Object.entries(types as Readonly<Record<string, { readonly status: number; readonly meaning: string }>>).map(
        ([type, { status, meaning }]) =>
          html`<tr>
            <th scope="row"><code>${type}</code></th>
            <td>${status}</td>
            <td>${meaning}</td>
          </tr>`
      )}
    </tbody>
  </table>`

const field = (label: Part, control: Part) => html`<label>${label} ${control}</label>`

const parameterField = ({ name, in: where, required, schema }: Parameter): Part => {
  const choices = schema.enum ?? schema.anyOf?.flatMap(({ enum: values = [] }) => values) ?? []
  const id = `${where}:${name}`
  const label = html`<code>${name}</code>${required === true ? "" : " (optional)"}`
  const isRequired = required === true ? new Html(" required") : ""
  return field(
    label,
    choices.length === 0
      ? html`<input name="${id}" autocomplete="off" ${isRequired} />`
      : html`<select name="${id}" ${isRequired}>
          ${required === true ? "" : html`<option></option>`}${choices.map((choice) => html`<option>${String(choice)}</option>`)}
        </select>`
  )
}

const isImage = (type: string): boolean => type.startsWith("image/")

const bodyField = (content: Content, schemas: Schemas): Part => {
  const types = Object.keys(content)
  if (types.every(isImage))
    return field(
      html`Body (<code>${types.join(", ")}</code>)`,
      html`<input type="file" name="body" accept="${types.join()}" />`
    )
  return Object.entries(content).map(([type, { schema = {} }]) => {
    const example = exampleOf(schema, schemas)
    const text =
      type === "application/json"
        ? JSON.stringify(example, null, 2)
        : new URLSearchParams(example as Record<string, string>).toString()
    return field(
      html`Body (<code>${type}</code>)`,
      html`<textarea name="body:${type}" rows="${text.split("\n").length + 1}" spellcheck="false">${text}</textarea>`
    )
  })
}

const tryForm = (method: string, path: string, operation: Operation, schemas: Schemas): Part => {
  const { parameters, requestBody, responses, summary } = operation
  const answered = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content))
  const types = [...new Set(answered)].filter((type) => type !== PROBLEM)
  const accept = [...types.slice(0, 1), PROBLEM].join(", ")
  return html`<form class="try" data-method="${method.toUpperCase()}" data-path="${path}" data-accept="${accept}">
    ${parameters.map(parameterField)}${requestBody && bodyField(requestBody.content, schemas)}
    ${
      types.length > 1 &&
      field(
        "Answer as",
        html`<select name="accept">
          ${types.map((type) => html`<option>${type}</option>`)}
        </select>`
      )
    }
    <p>
      <button aria-label="Send: ${summary}">Send</button>
      <button type="button" class="stop" aria-label="Stop: ${summary}">Stop</button>
    </p>
    <div class="answer" hidden>
      <p role="status"></p>
      <pre tabindex="0" aria-label="The head of the answer"></pre>
      <pre tabindex="0" aria-label="The body of the answer"></pre>
    </div>
  </form>`
}

const operationOf = (method: string, path: string, operation: Operation, schemas: Schemas): Html => {
  const { operationId, summary, description, parameters, security, requestBody, responses } = operation
  return html`<details class="operation" id="${operationId}">
    <summary><b>${method.toUpperCase()}</b> <code>${path}</code> <span>${summary}</span></summary>
    <p>${prose(description)}${security.length === 0 ? " It needs no credentials." : ""}</p>
    ${parameterTable(parameters)}${
      requestBody &&
      html`<p>The body:</p>
        ${contentOf(requestBody.content)}`
    }
    ${tryForm(method, path, operation, schemas)}${responseTable(responses)}
  </details>`
}

/** The page of a document. */
export const renderDocument = (document: Document, { style, script }: Assets): string => {
  const { info, tags, paths, components } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation }))
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title}: the interface</title>
        <link rel="icon" href="data:," />
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <header>
          <h1>${info.title} ${info.version}</h1>
          <p>
            ${prose(info.description)} A refusal has no body, or a <a href="#Problem">Problem</a> where
            <code>Accept</code> names <code>${PROBLEM}</code>. As a document for tools:
            <a href="/openapi.json">openapi.json</a>, and of the stream <a href="/asyncapi.json">asyncapi.json</a>.
          </p>
          <label
            >Bearer token, for the requests that you try; it is forgotten with the page
            <input id="token" type="password" autocomplete="off" />
          </label>
          <label>Search operations <input id="search" type="search" autocomplete="off" /></label>
        </header>
        <main>
          ${tags.map(
            ({ name, description }) =>
              html`<section>
                <h2>${name}</h2>
                <p>${prose(description)}</p>
                ${operations
                  .filter(({ operation }) => operation.tags.includes(name))
                  .map(({ method, path, operation }) => operationOf(method, path, operation, components.schemas))}
              </section>`
          )}
          <section>
            <h2>Shapes</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                html`<details id="${name}">
                  <summary><code>${name}</code></summary>
                  ${schema.examples && html`<pre>${JSON.stringify(schema.examples[0], null, 2)}</pre>`}
                  <div>${typeOf(schema)}</div>
                  ${problemTable(schema)}
                </details>`
            )}
          </section>
        </main>
        ${new Html(`<script>${script}</script>`)}
      </body>
    </html>`.text
}

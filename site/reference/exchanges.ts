/** Requests that were sent to a server of this version, and what it answered: examples of the reference. */
import { type Exchange, exchangeOf, walk } from "../../packages/client/test/walk.ts"

export type { Exchange }

/** Calls every endpoint of a server in memory, as the tests of `@sojourn/client` do. Each exchange is as it was, but for tokens. */
export const recorded = walk

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a command. Credentials are named by the kind of caller. */
const command = ({ method, path, headers, body, caller }: Exchange): string => {
  const accept = headers["accept"]!.split(",")[0]!
  const type = headers["content-type"]
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(`http://127.0.0.1:8080${path}`)}`,
    ...(caller === undefined ? [] : [`-H "Authorization: Bearer $${caller.toUpperCase()}_TOKEN"`]),
    ...(accept === "application/json" ? [] : [`-H 'Accept: ${accept}'`]),
    ...(headers["idempotency-key"] === undefined ? [] : [`-H 'Idempotency-Key: ${headers["idempotency-key"]}'`]),
    ...(type === undefined ? [] : [`-H 'Content-Type: ${type}'`]),
    ...(body === undefined ? [] : [typeof body === "string" ? `-d ${quoted(body)}` : "--data-binary @plan.png"])
  ].join(" \\\n  ")
}

const answer = ({ status, type, answer }: Exchange): string => {
  if (answer === "") return `It answered ${status}, without a body.`
  if (type?.startsWith("image/") === true) return `It answered ${status}, with the image.`
  const isJson = type?.startsWith("application/json") === true
  const text = isJson ? JSON.stringify(JSON.parse(answer), undefined, 2) : answer.trimEnd()
  return `It answered ${status}:\n\n\`\`\`${isJson ? "json" : "text"}\n${text}\n\`\`\``
}

/** The example of an endpoint in Markdown, or nothing where none was recorded. */
export const example = (exchanges: ReadonlyArray<Exchange>, method: string, path: string): string => {
  const exchange = exchangeOf(exchanges, method, path)
  return exchange === undefined ? "" : `\`\`\`sh\n${command(exchange)}\n\`\`\`\n\n${answer(exchange)}`
}

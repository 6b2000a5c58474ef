/** Requests as bytes, made once: the generator must cost less than the server that it loads. */
import type { Job, Request } from "./Job.ts"

const head = (method: string, path: string, host: string, token: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`

const JSON_OF_LENGTH = "Content-Type: application/json\r\nContent-Length: "

/** A request as it goes over the wire. */
export const bytesOf = ({ method, path, token, body }: Request, host: string): Buffer =>
  Buffer.from(
    body === undefined
      ? `${head(method, path, host, token)}\r\n`
      : `${head(method, path, host, token)}${JSON_OF_LENGTH}${Buffer.byteLength(body)}\r\n\r\n${body}`
  )

/** One user's movements: the same entrance again and again, and the exit that a token makes possible. */
export interface Movements {
  readonly entrance: Buffer
  readonly exit: (exitToken: string) => string
}

/** What a user sends who enters and leaves an organization; the service's clock tells when. */
export const movementsOf = (path: string, organizationId: number, token: string, host: string): Movements => {
  const entrance = JSON.stringify({ movementType: 1, organizationId })
  const exit = JSON.stringify({ movementType: -1, organizationId, exitToken: "" }).slice(0, -2)
  const start = `${head("POST", path, host, token)}${JSON_OF_LENGTH}`
  return {
    entrance: bytesOf({ method: "POST", path, token, body: entrance }, host),
    exit: (exitToken) => `${start}${exit.length + exitToken.length + 2}\r\n\r\n${exit}${exitToken}"}`
  }
}

const FIELD = '"exitToken":"'

/** The token in the answer to an entrance. */
export const exitTokenIn = (body: string): string | undefined => {
  const at = body.indexOf(FIELD)
  if (at < 0) return undefined
  const start = at + FIELD.length
  return body.slice(start, body.indexOf('"', start))
}

/** The `Host` of a job. */
export const hostOf = ({ host, port }: Job): string => `${host}:${port}`

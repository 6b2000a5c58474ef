/** Requests as bytes, made once: the generator must cost less than the server that it loads. */

const COUNT = "/device/count"
const TRACK = "/movement/track/organization"

const head = (method: string, path: string, token: string, authority: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: ${authority}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`

/** A request without a body. */
export const readOf = (path: string, token: string, authority: string): Buffer =>
  Buffer.from(`${head("GET", path, token, authority)}\r\n`)

/** The entrance of a user into an organization, and the exit that an exit token permits. Neither has a timestamp. */
export const movementsOf = (organizationId: number, token: string, authority: string) => {
  const start = `${head("POST", TRACK, token, authority)}Content-Type: application/json\r\nContent-Length: `
  const entrance = JSON.stringify({ movementType: 1, organizationId })
  const exit = JSON.stringify({ movementType: -1, organizationId, exitToken: "" }).slice(0, -2)
  return {
    entrance: Buffer.from(`${start}${entrance.length}\r\n\r\n${entrance}`),
    exit: (exitToken: string) => `${start}${exit.length + exitToken.length + 2}\r\n\r\n${exit}${exitToken}"}`
  }
}

/** A reading of a device that counts at its organization. */
export const readingOf = (token: string, epoch: string, into: number, out: number, authority: string): string => {
  const body = JSON.stringify({ readings: [{ organization: true, epoch, in: into, out }] })
  return `${head("POST", COUNT, token, authority)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const FIELD = '"exitToken":"'

/** The exit token in the answer to an entrance. */
export const exitTokenIn = (body: string): string => {
  const at = body.indexOf(FIELD)
  if (at < 0) throw new Error("an entrance was answered without an exit token")
  const start = at + FIELD.length
  return body.slice(start, body.indexOf('"', start))
}

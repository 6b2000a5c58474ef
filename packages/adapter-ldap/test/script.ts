/** A directory that says what a test tells it to, byte by byte. */
import type { Socket } from "node:net"
import { BerReader } from "ldapts"
import { makeFramer } from "../src/Framer.ts"
import { der } from "./certificates.ts"

/** A request of a client: bind 0x60, unbind 0x42, search 0x63, extended 0x77. */
export interface LdapRequest {
  readonly messageId: number
  readonly operation: number
  /** Is it a bind by one of SASL's mechanisms? */
  readonly isSasl: boolean
  readonly socket: Socket
  /** The whole message. */
  readonly bytes: Uint8Array
}

export const BIND = 0x60
export const SEARCH = 0x63
export const EXTENDED = 0x77

const text = (value: string) => der(0x04, Buffer.from(value))
/** A number below 2^23, in as few bytes as hold it with its sign. */
const integer = (value: number) => {
  const bytes = [value >> 16, (value >> 8) & 0xff, value & 0xff]
  return der(0x02, Buffer.from(bytes.slice(value < 0x80 ? 2 : value < 0x8000 ? 1 : 0)))
}

export const message = (messageId: number, operation: Uint8Array) => der(0x30, integer(messageId), operation)

/** The answer that ends an operation of this kind, with this result code. */
export const result = ({ messageId, operation }: LdapRequest, code = 0, ...more: ReadonlyArray<Uint8Array>) => {
  const kind = operation === BIND ? 0x61 : operation === SEARCH ? 0x65 : 0x78
  return message(messageId, der(kind, der(0x0a, Buffer.from([code])), text(""), text("ALICE secret"), ...more))
}

/** The value of an extended answer. */
export const value = (content: string) => der(0x8b, Buffer.from(content))

/** An entry, its attributes as they are given. */
export const entry = (
  { messageId }: LdapRequest,
  dn: string,
  attributes: Readonly<Record<string, ReadonlyArray<string | Uint8Array>>>
) =>
  message(
    messageId,
    der(
      0x64,
      text(dn),
      der(
        0x30,
        ...Object.entries(attributes).map(([name, values]) =>
          der(
            0x30,
            text(name),
            der(0x31, ...values.map((one) => (typeof one === "string" ? text(one) : der(0x04, one))))
          )
        )
      )
    )
  )

/** Answers each request with these bytes; nothing when there are none. */
export const answering = (answer: (request: LdapRequest) => ReadonlyArray<Uint8Array>) => (socket: Socket) => {
  const framer = makeFramer(1 << 20)
  socket.on("data", (bytes: Buffer) => {
    const messages = framer.push(bytes)
    if (typeof messages === "string") return
    for (const request of messages) {
      const reader = new BerReader(request)
      reader.readSequence()
      const messageId = reader.readInt()
      const operation = reader.readSequence()
      if (messageId === null || operation === null) return
      if (operation === BIND) {
        reader.readInt()
        reader.readString()
      }
      const isSasl = operation === BIND && reader.peek() === 0xa3
      for (const part of answer({ messageId, operation, isSasl, socket, bytes: request })) socket.write(part)
    }
  })
}

/** Like a correct directory in which each person has one entry and any password is right. */
export const obliging =
  (uid = "alice", dn = "uid=alice,dc=x") =>
  (request: LdapRequest): ReadonlyArray<Uint8Array> => {
    switch (request.operation) {
      case SEARCH:
        return [entry(request, dn, { uid: [uid] }), result(request)]
      case EXTENDED:
        return [result(request, 0, value(`dn:${dn}`))]
      case BIND:
        return [result(request)]
      default:
        return []
    }
  }

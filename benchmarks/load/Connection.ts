/** A connection of the load generator: one request at a time. */
import { connect } from "node:net"
import { type Answer, makeAnswers } from "./Answers.ts"
import type { Exchange } from "./work.ts"

/** An exchange, and the moment of `performance.now` that its latency counts from. */
export interface Timed {
  readonly exchange: Exchange
  readonly from: number
}

export interface Connection {
  readonly send: (next: Timed) => void
  readonly close: () => void
  idleSince: number
}

interface Handlers {
  /** Takes an answer, and returns the request that has to follow it. */
  readonly answered: (timed: Timed, answer: Answer) => Timed | undefined
  /** No request has to follow. */
  readonly free: (connection: Connection) => void
  /** The connection was closed, with or without a request that waits for its answer. */
  readonly closed: (connection: Connection, isPending: boolean) => void
}

/** Opens a connection, and sends a first request when it is open. */
export const openConnection = (
  to: { readonly host: string; readonly port: number },
  first: Timed,
  { answered, free, closed }: Handlers
): void => {
  const read = makeAnswers()
  let current: Timed | undefined
  const socket = connect({ ...to, noDelay: true })
  const connection: Connection = {
    send: (timed) => {
      current = timed
      socket.write(timed.exchange.bytes, "latin1")
    },
    close: () => socket.destroy(),
    idleSince: 0
  }
  socket.once("connect", () => connection.send(first))
  socket.on("data", (arrived) => {
    const answer = read(arrived)
    if (answer === undefined || current === undefined) return
    const timed = current
    current = undefined
    const next = answered(timed, answer)
    if (next === undefined) free(connection)
    else connection.send(next)
  })
  socket.on("error", () => {})
  socket.once("close", () => closed(connection, current !== undefined || socket.bytesWritten === 0))
}

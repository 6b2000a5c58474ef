/** Makes the table of endpoints into methods: no code is generated for a single endpoint. */
import { ENDPOINTS } from "./endpoints.ts"
import { call, type CallOptions } from "./call.ts"
import type { ClientOptions, Endpoint, Input } from "./http.ts"
import type { SojournClient } from "./methods.ts"
import { presence, type StreamOptions } from "./presence.ts"

export type { CallOptions } from "./call.ts"
export type { ClientOptions } from "./http.ts"
export type { SojournClient } from "./methods.ts"
export type { Connection, StreamOptions } from "./presence.ts"

/** A client of the whole interface: a method for each endpoint, by group and name. Making one costs nothing. */
export const makeClient = (options: ClientOptions): SojournClient => {
  const method =
    (endpoint: Endpoint) =>
    (input?: Input, more?: CallOptions & StreamOptions): unknown =>
      endpoint[4] === "text/event-stream"
        ? presence(options, endpoint, input as never, more)
        : call(options, endpoint, input, more)
  return Object.fromEntries(
    Object.entries(ENDPOINTS).map(([group, endpoints]) => [
      group,
      Object.fromEntries(
        Object.entries(endpoints as Readonly<Record<string, Endpoint>>).map(([name, endpoint]) => [
          name,
          method(endpoint)
        ])
      )
    ])
  ) as unknown as SojournClient
}

/** Reads feeds for the model as clients do: from `GET /presence/stream`, each time on from where the reader was. */
import type { OrganizationId, PresenceFeed } from "@sojourn/core"
import type { Names, Observed } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import { type EventStream, makeEventStreams, type Message } from "./eventStream.ts"

type Json = { readonly [field: string]: any }

const time = (text: string): number => Date.parse(text)

/** An event of a stream in the model's terms. */
const makeEvent =
  (names: Names) =>
  ({ event, data }: Message): Json => {
    const { version: _, organizationId, placeId, type, at, changed, musterId, state, ...rest } = data as Json
    const premises =
      placeId === undefined
        ? `organization ${names.label("organization", organizationId)}`
        : `place ${names.label("place", placeId)}`
    const isOfPremises = event !== "organization.changed" && event !== "muster.changed"
    return {
      ...rest,
      type: type === event ? event.slice(0, -".changed".length) : `${type} in a message ${event}`,
      at: time(at),
      ...(isOfPremises && { premises }),
      ...(musterId !== undefined && { muster: names.label("muster", musterId) }),
      became: changed ?? state
    }
  }

/** The totals of premises in a snapshot, in the model's terms. */
const makeTotals =
  (names: Names) =>
  ({ organizationId, placeId, inside, entered, left, capacity, level }: Json) => ({
    at: placeId === undefined ? names.at("organization", organizationId) : names.at("place", placeId),
    entered,
    left: entered - inside === left ? left : `${left}, and ${inside} inside`,
    capacity,
    level
  })

/** The timeout of one reading: an event that has not arrived by then is lost. */
const READ_TIMEOUT = "1 minute"

/** Where a reader is in a feed. */
interface Position {
  readonly version: number
  readonly id: string
}

/** Reads the events of an organization's feed since the last reading, and their totals. */
export const makeReadFeed = (port: number, names: Names, feed: PresenceFeed["Service"]) => {
  const open = makeEventStreams(port)
  const positions = new Map<bigint, Position>()
  const eventOf = makeEvent(names)
  const totalsOf = makeTotals(names)

  /** Opens a stream, reads from it and closes it. A stream that ends or stalls before is a defect. */
  const reading = <A>(
    authorization: string | undefined,
    id: bigint,
    lastEventId: string | undefined,
    read: (stream: EventStream) => Promise<A>
  ) =>
    Effect.promise(async () => {
      const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
      const stream = await open(authorization, `?organizations=${id}`, headers)
      try {
        return stream.status === 200 ? await read(stream) : stream.status
      } finally {
        stream.close()
      }
    }).pipe(Effect.timeout(READ_TIMEOUT), Effect.orDie)

  return Effect.fnUntraced(function* (
    organization: string,
    authorization: string | undefined
  ): Effect.fn.Return<Observed> {
    const id = names.id("organization", organization)
    const [stored] = yield* Effect.orDie(feed.snapshots([id as OrganizationId]))
    const version = stored?.version ?? 0
    // A stream may begin with what the server read a moment ago.
    const readSnapshot = reading(authorization, id, undefined, (stream) => stream.want("snapshot"))
    let first = yield* readSnapshot
    while (typeof first !== "number" && first.data.organizations[0].version < version) {
      yield* Effect.sleep(20)
      first = yield* readSnapshot
    }
    if (typeof first === "number") return { status: first, tokens: [] }
    const before = positions.get(id)
    const messages =
      before === undefined || before.version === version
        ? []
        : yield* reading(authorization, id, before.id, (stream) =>
            stream.until((message) => message.data.version === undefined || message.data.version >= version)
          )
    if (typeof messages === "number") return { status: messages, tokens: [] }
    positions.set(id, { version, id: (messages.at(-1) ?? first).id! })
    const [snapshot] = first.data.organizations
    return {
      status: 200,
      tokens: [],
      value: {
        organization: names.label("organization", snapshot.organizationId),
        events: messages.map(eventOf),
        premises: [snapshot, ...snapshot.places].map(totalsOf)
      }
    }
  })
}

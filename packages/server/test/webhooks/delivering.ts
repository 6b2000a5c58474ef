/** A server that delivers webhooks to receivers of a test. */
import { parseReceiverEntry } from "@sojourn/core"
import { Result } from "effect"
import { vi } from "vitest"
import { makeFixtures, want } from "../fixtures.ts"
import { sojournForThisFile } from "../harness.ts"
import { certificates, type Receiver } from "./Receiver.ts"

/** Waits until a check succeeds. */
export const until = <A>(check: () => A | Promise<A>) => vi.waitFor(check, { timeout: 120_000, interval: 50 })

/** Starts a server for a whole test file, which may deliver to these receivers. */
export const deliveringTo = async (...receivers: ReadonlyArray<Receiver>) => {
  const allow = receivers.map(({ origin }) => Result.getOrThrow(parseReceiverEntry(origin)))
  const sojourn = await sojournForThisFile({
    webhooks: { policy: { allow }, certificates: [certificates.authority.pem] }
  })
  const fixtures = makeFixtures(sojourn)
  const { owner, post, put } = fixtures
  let serial = 0
  return {
    ...fixtures,
    /** Changes an organization, which is an event of it. */
    rename: async (id: number, description: string) =>
      want(await put(owner, "/organization", { id, description }), 200),
    hook: async (id: number, url: string, types?: ReadonlyArray<string>, who = owner) =>
      want(await post(who, `/webhook/organization/${id}`, { url, types }), 201).json,
    /** A URL of its own at a receiver, and what arrives there. */
    target: ({ origin, received }: Pick<Receiver, "origin" | "received"> = receivers[0]!) => {
      const path = `/hooks/${++serial}?key=7`
      return { path, url: `${origin}${path}`, received: () => received(path) }
    }
  }
}

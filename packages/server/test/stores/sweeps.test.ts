/** Sweeps by two servers on one storage, through the use cases, on every adapter. */
import {
  layerSecretKeysEphemeral,
  LongestStay,
  Movements,
  type OrganizationId,
  OrganizationPremises,
  Presence,
  Retention,
  StayPolicies,
  StayPolicyStore,
  StoreError,
  Sweeps,
  User,
  UserId
} from "@sojourn/core"
import { makeManualClock } from "@sojourn/testing"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { describe, expect, it } from "vitest"
import { anAnonymousOrganization, OPERATOR, OWNER } from "../services/fixtures.ts"
import { type Pair, PAIRS, serverOn } from "./pairs.ts"
import { adapters } from "./registry.ts"

const DAY = 86_400_000
const user = User(UserId.make("phone"))
const POLICY = { longestStay: LongestStay.make(3600), retention: Retention.make(86_400) }

type Server = Effect.Success<ReturnType<typeof serverOn>>

const many = <A, E>(count: number, one: Effect.Effect<A, E>) =>
  Effect.all(
    Array.from({ length: count }, () => one),
    { concurrency: 64 }
  )

/** Creates an organization with a policy, open stays and accesses. */
const furnish = Effect.fnUntraced(function* (server: Server, name: string, open: number, closed: number) {
  const { id } = yield* Effect.provide(anAnonymousOrganization(name), server)
  yield* Context.get(server, StayPolicies).change(OPERATOR, id, POLICY)
  const { track } = Context.get(server, Movements)
  const premises = OrganizationPremises(id)
  const enter = track(user, { _tag: "Entrance", premises })
  const leave = (exitToken: string) => track(user, { _tag: "Exit", premises, exitToken })
  const inside = yield* many(open, enter)
  yield* many(
    closed,
    Effect.flatMap(enter, ({ exitToken }) => leave(exitToken))
  )
  const counter = Context.get(server, Presence).counter(OWNER, premises)
  return { id, inside, leave, counted: Effect.map(counter, ({ counter }) => counter) }
})

/** Two servers on one storage, with a manual clock. */
const scene = Effect.fnUntraced(function* (pair: Effect.Effect<Pair, unknown, Scope.Scope>) {
  const tokens = yield* Layer.build(layerSecretKeysEphemeral)
  const [one, other] = yield* pair
  return { stores: one, servers: [yield* serverOn(one, tokens), yield* serverOn(other, tokens)] as const }
})

const live = (
  body: (advance: (milliseconds: number) => Effect.Effect<void>) => Effect.Effect<void, unknown, Scope.Scope>
) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { clock, advance } = makeManualClock(yield* Clock.Clock)
        yield* Effect.provideService(body(advance), Clock.Clock, clock)
      })
    )
  )

const sweepOf = (server: Server) => Context.get(server, Sweeps).sweep("1 minute")

describe.each(adapters.map(([name]) => name).filter((name) => Object.hasOwn(PAIRS, name)))("on %s", (name) => {
  const pair = PAIRS[name]!

  it("two servers that sweep concurrently end each stay once, and the counters of both exclude it", () =>
    live(
      Effect.fnUntraced(function* (advance) {
        const { servers } = yield* scene(pair)
        const grounds = yield* Effect.forEach(["a", "b", "c", "d"], (name) => furnish(servers[0], name, 20, 15))
        expect(yield* sweepOf(servers[0])).toEqual({ abandoned: 0, forgotten: 0, failures: [] })
        yield* advance(2 * DAY)
        const swept = yield* Effect.all(servers.map(sweepOf), { concurrency: 2 })
        expect(swept.flatMap(({ failures }) => failures)).toEqual([])
        // The server with an organization's lease sweeps all of it.
        expect(swept.map(({ abandoned }) => abandoned % 20)).toEqual([0, 0])
        expect(swept.map(({ forgotten }) => forgotten % 15)).toEqual([0, 0])
        expect(swept.reduce((sum, { abandoned }) => sum + abandoned, 0)).toBe(80)
        expect(swept.reduce((sum, { forgotten }) => sum + forgotten, 0)).toBe(60)
        for (const { counted, inside, leave } of grounds) {
          expect(yield* counted).toBe(0)
          expect((yield* Effect.flip(leave(inside[0]!.exitToken)))._tag).toBe("ExitNotMatched")
        }
      })
    ))

  it("no server sweeps again before the interval is over; stays that become overdue meanwhile wait", () =>
    live(
      Effect.fnUntraced(function* (advance) {
        const { servers } = yield* scene(pair)
        const { counted } = yield* furnish(servers[0], "a", 3, 0)
        yield* advance(3_600_000)
        expect((yield* sweepOf(servers[0])).abandoned).toBe(0)
        yield* advance(59_999)
        for (const server of servers) expect((yield* sweepOf(server)).abandoned).toBe(0)
        expect(yield* counted).toBe(3)
        yield* advance(1)
        expect((yield* sweepOf(servers[1])).abandoned).toBe(3)
        expect(yield* counted).toBe(0)
      })
    ))

  it("one sweep ends more stays and accesses than fit into a batch", () =>
    live(
      Effect.fnUntraced(function* (advance) {
        const { servers } = yield* scene(pair)
        const { counted } = yield* furnish(servers[0], "a", 510, 2010)
        yield* advance(2 * DAY)
        expect(yield* sweepOf(servers[0])).toEqual({ abandoned: 510, forgotten: 2010, failures: [] })
        expect(yield* counted).toBe(0)
      })
    ))

  it("a failure in one organization is reported, and the other organizations are swept", () =>
    live(
      Effect.fnUntraced(function* (advance) {
        const { stores, servers } = yield* scene(pair)
        const [bad, good] = [yield* furnish(servers[0], "a", 2, 1), yield* furnish(servers[0], "b", 3, 1)]
        const store = Context.get(stores, StayPolicyStore)
        const failure = new StoreError({ operation: "abandon stays", cause: "the disk is full" })
        const failing = (id: OrganizationId) =>
          Layer.succeed(StayPolicyStore, {
            ...store,
            abandon: (batch) => (batch.lease.organizationId === id ? Effect.fail(failure) : store.abandon(batch))
          })
        yield* advance(2 * DAY)
        const { sweep } = Context.get(yield* Layer.build(Layer.provide(Sweeps.layer, failing(bad.id))), Sweeps)
        expect(yield* sweep("1 minute")).toEqual({ abandoned: 3, forgotten: 1, failures: [failure] })
        expect([yield* bad.counted, yield* good.counted]).toEqual([2, 0])
        yield* advance(60_000)
        expect(yield* sweepOf(servers[0])).toEqual({ abandoned: 2, forgotten: 1, failures: [] })
      })
    ))
})

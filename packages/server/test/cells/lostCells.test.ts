/** A server over three cells of which one is lost: streams and webhooks of the others go on, and its own when it is back. */
import {
  AdministratorId,
  CapacityStore,
  cellOfId,
  deviceTokenOf,
  OrganizationId,
  OrganizationPremises,
  parseReceiverEntry,
  Timestamp
} from "@sojourn/core"
import { Effect, Option, Redacted, Result } from "effect"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { type EventStream, makeEventStreams, type Message } from "../eventStream.ts"
import { makeFixtures, unique, want } from "../fixtures.ts"
import { startSojourn } from "../harness.ts"
import { type Loss, makeLosableCells } from "./losableCells.ts"
import { until } from "../webhooks/delivering.ts"
import { certificates, startReceiver } from "../webhooks/Receiver.ts"

const receiver = await startReceiver()
afterAll(receiver.stop)

const LOSSES: ReadonlyArray<Loss> = ["fails", "does not answer"]

/** A server over new cells, and an organization in each. */
const serve = async () => {
  const cells = makeLosableCells()
  const allow = [Result.getOrThrow(parseReceiverEntry(receiver.origin))]
  const sojourn = await startSojourn({
    stores: cells.layer,
    webhooks: { policy: { allow }, certificates: [certificates.authority.pem] }
  })
  onTestFinished(sojourn.stop)
  const fixtures = makeFixtures(sojourn)
  const { operator, organization, owner, post, put } = fixtures
  const made = new Map<number, number>()
  while (made.size < 3) {
    const { id } = await organization()
    made.set(Option.getOrThrow(cellOfId(BigInt(id))), id)
  }
  const [home, near, far] = [made.get(0)!, made.get(1)!, made.get(200)!]
  for (const id of made.values()) {
    want(await put(operator, `/operator/organization/${id}/policy`, { eventGrain: 0 }), 200)
  }
  const openStream = makeEventStreams(sojourn.port)
  return {
    ...fixtures,
    ...cells,
    home,
    near,
    far,
    open: (ids: ReadonlyArray<number>, lastEventId?: string, who = owner) =>
      openStream(
        who,
        `?organizations=${ids.join(",")}`,
        lastEventId === undefined ? {} : { "last-event-id": lastEventId }
      ),
    /** Adds an event by this server. */
    change: async (id: number) =>
      want(await put(owner, "/organization", { id, description: unique("description") }), 200),
    /** Adds an event as another server does, which reaches the cell. */
    changeElsewhere: (id: number, count: number) =>
      Effect.runPromise(
        Effect.forEach(
          Array.from({ length: count }, (_, n) => n),
          (n) =>
            CapacityStore.use((store) =>
              store.set({
                premises: OrganizationPremises(OrganizationId.make(BigInt(id))),
                administratorId: AdministratorId.make(owner.id),
                capacity: n % 2 === 0 ? { capacity: 1, warnAt: 1 } : undefined,
                now: Timestamp(Date.now())
              })
            )
        ).pipe(Effect.provideContext(cells.storesOf(Option.getOrThrow(cellOfId(BigInt(id))))))
      ),
    /** A webhook of an organization, and the versions that were delivered to it. */
    hook: async (id: number) => {
      const own = `/${unique("hooks")}`
      const body = { url: `${receiver.origin}${own}`, types: ["organization.changed", "capacity.changed"] }
      want(await post(owner, `/webhook/organization/${id}`, body), 201)
      return () => receiver.received(own).map(({ json }) => json.data.version)
    }
  }
}

const versionsOf = (messages: ReadonlyArray<Message>, id: number) =>
  messages.flatMap(({ data }) => (data.organizationId === id && data.version !== undefined ? [data.version] : []))
const isOf = (id: number, version: number) => (message: Message) =>
  message.data.organizationId === id && message.data.version === version
const isStale = ({ event }: Message) => event === "stale"

/** The snapshot of a new stream, which is one message for organizations of all cells. */
const begin = async (stream: EventStream, ids: ReadonlyArray<number>) => {
  const { data, id } = await stream.want("snapshot")
  expect(data.organizations.map(({ organizationId }: any) => organizationId)).toEqual(ids)
  return id!
}

describe.each(LOSSES)("while a cell %s", (loss) => {
  it("its streams are stale, and those of others go on; when it is back none has missed anything", async () => {
    const { near, home, far, bind, change, changeElsewhere, lose, open, owner, post, regain, sojourn } = await serve()
    const viewer = await bind(home, sojourn.administrator("viewer"), "viewer")
    const [ofHome, ofNear, ofFar] = [await open([home]), await open([near]), await open([far])]
    const [mixed, withdrawn] = [await open([near, home]), await open([home], undefined, viewer)]
    const first = await begin(ofHome, [home])
    await begin(ofNear, [near])
    await begin(ofFar, [far])
    await begin(mixed, [near, home])
    await begin(withdrawn, [home])

    lose(1, loss)
    const { id: lastOfNear } = await ofNear.want("stale")
    await mixed.want("stale")
    await changeElsewhere(near, 3)

    // Events, new streams, resumed ones and permissions of the other cells.
    for (const version of [1, 2]) {
      await change(home)
      expect((await ofHome.want("organization.changed")).data.version).toBe(version)
      await mixed.until(isOf(home, version))
    }
    await change(far)
    expect((await ofFar.want("organization.changed")).data.version).toBe(1)
    expect(
      (await (await open([far, home])).want("snapshot")).data.organizations.map(({ version }: any) => version)
    ).toEqual([1, 2])
    const resumed = await open([home], first)
    for (const version of [1, 2]) {
      expect((await resumed.want("organization.changed")).data.version).toBe(version)
    }
    const binding = { organizationId: home, administratorId: viewer.id, permission: 1 }
    want(await post(owner, "/administrator/unbindadministrator", binding), 204)
    expect((await withdrawn.until(({ event }) => event === "gone")).at(-1)!.data.organizationId).toBe(home)
    if (loss === "fails") {
      expect((await open([near])).status).toBe(503)
      // Its counts of the lost cell are not current again because the others' are.
      await mixed.until(isStale)
    }
    const lastOfMixed = mixed.lastId()

    await regain(1)
    for (const version of [1, 2, 3]) {
      expect((await ofNear.want("capacity.changed")).data.version).toBe(version)
    }
    await change(home)
    const late = [...(await mixed.until(isOf(near, 3)))]
    if (versionsOf(late, home).length === 0) late.push(...(await mixed.until(isOf(home, 3))))
    expect([versionsOf(late, near), versionsOf(late, home)]).toEqual([[1, 2, 3], [3]])
    const after = async (ids: ReadonlyArray<number>, lastEventId: string | undefined) => {
      const stream = await open(ids, lastEventId)
      const messages = [await stream.next(), await stream.next(), await stream.next()]
      return { stream, messages }
    }
    expect(versionsOf((await after([near], lastOfNear)).messages, near)).toEqual([1, 2, 3])
    const again = await after([near, home], lastOfMixed)
    const all = [...again.messages, await again.stream.next()]
    expect([versionsOf(all, near), versionsOf(all, home)]).toEqual([[1, 2, 3], [3]])
    // Nothing else came to the streams of the other cells.
    expect((await ofHome.want("organization.changed")).data.version).toBe(3)
    await change(far)
    expect((await ofFar.want("organization.changed")).data.version).toBe(2)
  })

  it("devices of others count, and a token of none is refused", async () => {
    const { far, home, near, lose, owner, post, regain } = await serve()
    const device = async (id: number) => {
      const body = { name: "Door", premises: [{ organization: true }] }
      return want(await post(owner, `/device/organization/${id}`, body), 201).json.token as string
    }
    const count = (token: string) =>
      post({ ...owner, token }, "/device/count", { readings: [{ organization: true, epoch: "a", in: 1, out: 0 }] })
    const [ofHome, ofNear, ofFar] = [await device(home), await device(near), await device(far)]
    lose(1, loss)
    for (const token of [ofHome, ofFar]) want(await count(token), 200)
    const unknown = deviceTokenOf(new Uint8Array(32), BigInt(far))
    expect((await count(Redacted.value(unknown))).status).toBe(401)
    await regain(1)
    want(await count(ofNear), 200)
  })

  it("its webhooks wait, and those of others are delivered", async () => {
    const { far, home, near, change, changeElsewhere, hook, lose, regain } = await serve()
    const [ofHome, ofNear, ofFar] = [await hook(home), await hook(near), await hook(far)]
    await change(near)
    await until(() => expect(ofNear()).toEqual([1]))
    lose(1, loss)
    await changeElsewhere(near, 2)
    await change(home)
    await change(far)
    await until(() => expect([ofHome(), ofFar()]).toEqual([[1], [1]]))
    await regain(1)
    await until(() => expect(ofNear().at(-1)).toBe(3))
  })

  it("also the home cell, open streams of others go on, and show which counts are current again", async () => {
    const { far, home, changeElsewhere, lose, open, regain } = await serve()
    const [ofFar, mixed] = [await open([far]), await open([home, far])]
    await begin(ofFar, [far])
    await begin(mixed, [home, far])
    lose(0, loss)
    await mixed.want("stale")
    await changeElsewhere(far, 2)
    for (const version of [1, 2]) expect((await ofFar.want("capacity.changed")).data.version).toBe(version)
    await mixed.until(isOf(far, 2))
    if (loss === "fails") {
      await mixed.until(isStale)
      // The polls of the other cell confirm nothing meanwhile.
      await Effect.runPromise(Effect.sleep("2 seconds"))
    }
    await regain(0)
    if (loss === "fails") await begin(mixed, [home])
    await changeElsewhere(home, 1)
    expect(versionsOf(await mixed.until(isOf(home, 1)), far)).toEqual([])
  })
})

describe("a cell that is restored", () => {
  it("has its own organizations alone start over", async () => {
    const { home, near, change, open, restore } = await serve()
    const [ofHome, ofNear, mixed] = [await open([home]), await open([near]), await open([home, near])]
    await begin(ofHome, [home])
    await begin(mixed, [home, near])
    const id = await begin(ofNear, [near])
    restore(1)
    for (const stream of [ofNear, mixed]) {
      expect((await stream.want("reset")).data).toEqual({ reason: "unknown" })
      await begin(stream, [near])
    }
    await change(home)
    for (const stream of [ofHome, mixed]) {
      expect((await stream.want("organization.changed")).data.version).toBe(1)
    }
    expect((await (await open([near], id)).want("reset")).data).toEqual({ reason: "unknown" })
    const resumed = await open([home, near], mixed.lastId())
    await change(near)
    expect((await resumed.want("organization.changed")).data).toMatchObject({ organizationId: near, version: 1 })
  })

  it("and an id that nothing wrote: one reset and one snapshot of organizations of all cells", async () => {
    const { far, home, near, open } = await serve()
    const stream = await open([near, far, home], "nothing wrote it")
    expect((await stream.want("reset")).data).toEqual({ reason: "unknown" })
    await begin(stream, [near, far, home])
  })
})

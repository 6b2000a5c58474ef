/** Owners who use webhooks against third parties, or keep them after they lost their level, and servers that deliver too much. */
import { afterAll, expect, it } from "vitest"
import { square, want } from "../fixtures.ts"
import { deliveringTo, until } from "../webhooks/delivering.ts"
import { contentOf, startReceiver, type FeedEvent } from "../webhooks/Receiver.ts"

const receiver = await startReceiver()
afterAll(receiver.stop)

const delivering = await deliveringTo(receiver)
const { owner, organization, place, bind, post, put, get, remove, rename, sojourn, target } = delivering

const CHANGES = 600
const MAX_DELIVERIES_PER_SECOND = 50

/** A new webhook, and the events that were delivered to it. */
const hook = async (id: number, who = owner) => {
  const { path, url, received } = target()
  const { webhookId } = await delivering.hook(id, url, undefined, who)
  return { path, webhookId, delivered: (): ReadonlyArray<FeedEvent> => received().map(({ json }) => json.data) }
}

it("an owner with ten webhooks at a third party causes at most 50 requests a second there", async () => {
  const { id } = await organization()
  const arrivals: Array<number> = []
  const hooks: Array<Awaited<ReturnType<typeof hook>>> = []
  for (let nth = 0; nth < 10; nth++) hooks.push(await hook(id))
  for (const { path } of hooks)
    receiver.answer(path, (response) => {
      arrivals.push(performance.now())
      response.writeHead(204).end()
    })
  const { id: placeId } = await place(id, square(0))
  for (let nth = 0; nth < CHANGES / 2; nth++) {
    await Promise.all([
      rename(id, `change ${nth}`),
      put(owner, "/place", { id: placeId, name: `change ${nth}` }).then((answer) => want(answer, 200))
    ])
  }
  // All events are of three contents, and the last of each was delivered.
  const all = await until(() => {
    const reached = hooks.map(({ delivered }) => delivered().at(-1)?.version)
    expect(reached).toEqual(hooks.map(() => CHANGES + 1))
    return hooks.map(({ delivered }) => delivered())
  })
  for (const events of all) {
    const contents = new Map<string, number>()
    for (const one of events) {
      const content = contentOf(one)
      // What a delivery stands for begins after the one before of the same content.
      expect(one.fromVersion ?? one.version).toBeGreaterThan(contents.get(content) ?? 0)
      contents.set(content, one.version)
    }
    expect(contents.size).toBe(3)
    const versions = events.map(({ version }) => version)
    expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  }
  const seconds = (arrivals.at(-1)! - arrivals[0]!) / 1000
  expect(arrivals.length).toBeLessThanOrEqual(MAX_DELIVERIES_PER_SECOND * (seconds + 1))
})

it("the webhook of a removed owner is disabled, and the list names its creator", async () => {
  const { id } = await organization()
  const ben = await bind(id, sojourn.administrator(`ben-${id}`), "owner")
  const [theirs, kept] = [await hook(id, ben), await hook(id)]
  await rename(id, "while they are an owner")
  await until(() => expect([theirs.delivered().length, kept.delivered().length]).toEqual([1, 1]))
  const binding = { organizationId: id, administratorId: ben.id, permission: 3 }
  want(await post(owner, "/administrator/unbindadministrator", binding), 204)
  const [listed] = want(await get(owner, `/webhook/organization/${id}`), 200).json
  expect(listed).toMatchObject({ webhookId: theirs.webhookId, createdBy: ben.id, state: "disabled" })
  await rename(id, "after they were removed")
  await place(id)
  await until(() => expect(kept.delivered()).toHaveLength(3))
  expect(theirs.delivered()).toHaveLength(1)
  want(await post(owner, `/webhook/${theirs.webhookId}/enable`, undefined), 200)
  await until(() => expect(theirs.delivered()).toHaveLength(3))
})

it("an event recorded after a webhook was deleted is not delivered to it", async () => {
  const { id } = await organization()
  const kept = await hook(id)
  for (let nth = 1; nth <= 5; nth++) {
    const deleted = await hook(id)
    // Its server has read the feed to its end, and waits for the next event.
    await rename(id, `before ${nth}`)
    await until(() => expect([deleted.delivered().length, kept.delivered().length]).toEqual([1, 2 * nth - 1]))
    want(await remove(owner, `/webhook/${deleted.webhookId}`), 204)
    await rename(id, `after ${nth}`)
    await until(() => expect(kept.delivered()).toHaveLength(2 * nth))
    expect(deleted.delivered()).toHaveLength(1)
  }
})

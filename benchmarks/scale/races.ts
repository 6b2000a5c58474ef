import type { Answer, Asked } from "../../packages/server/test/faults/asking.ts"
import { bodyOf } from "../../packages/server/test/faults/asking.ts"
import type { Fault, Stay } from "../../packages/server/test/faults/Ledger.ts"
import { exitOf, movementOf, nextKey, tracking } from "../../packages/server/test/faults/movements.ts"
import type { Scene } from "../../packages/server/test/faults/scene.ts"
import type { Premises, Resident } from "../../packages/server/test/faults/town.ts"

/** What was tried, and how often. What went wrong is in the ledger. */
export interface Tried {
  readonly what: string
  readonly times: number
}

/** How often each server is asked the same at the same moment. */
const EACH = 2

/**
 * Movements of the same people through different servers at the same moment, so many times each. After each of them every
 * server is asked for the counter. Faults go into the ledger, and so does what was acknowledged.
 */
export const race = async (
  { client, ledger, town }: Scene,
  urls: () => ReadonlyArray<string>,
  times: number
): Promise<ReadonlyArray<Tried>> => {
  const everywhere = (ask: (nth: number) => Asked): Promise<ReadonlyArray<Answer>> =>
    Promise.all(
      Array.from({ length: EACH }, () => urls())
        .flat()
        .map((url, nth) => client.ask(url, ask(nth)))
    )
  const expect = (isRight: boolean, kind: Fault["kind"], what: string) => {
    if (!isRight) ledger.fault(kind, what)
  }
  const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status).join(" ")

  /** Every server counts what was acknowledged by any of them. */
  const counted = async (where: Premises) => {
    const inside = [...ledger.open.values()].filter(({ premises }) => premises === where).length
    const path = `/presence/${where.kind}/${where.id}/counter`
    for (const answer of await everywhere(() => ({ method: "GET", path, token: town.owner }))) {
      const counter = answer.status === 200 ? bodyOf<{ readonly counter: number }>(answer).counter : undefined
      const what = `${path} answered ${answer.status} and counts ${counter} with ${inside} inside`
      expect(counter === inside, counter !== undefined && counter > inside ? "doubled" : "lost", what)
    }
  }

  /** The one stay that everybody was answered. */
  const oneStay = (answers: ReadonlyArray<Answer>, where: Premises, person?: string): Stay | undefined => {
    const all = answers.filter(({ status }) => status === 201)
    expect(all.length === answers.length, "wrong", `entrances at once answered ${statuses(answers)}`)
    const some = new Set(all.map((answer) => ledger.entered(where, movementOf(answer), person)))
    expect(some.size === 1, "doubled", `entrances at once opened ${some.size} stays`)
    return [...some][0]
  }

  const leave = async (token: string, stay: Stay) => {
    const at = (nth: number) => new Date(Date.parse(stay.entrance) + (nth + 1) * 1000).toISOString()
    const raced = await everywhere((nth) => exitOf(token, stay, at(nth)))
    const won = raced.filter(({ status }) => status === 202)
    const lost = raced.filter(({ status }) => status === 400)
    const isOne = won.length === 1 && lost.length === raced.length - 1
    expect(isOne, won.length > 1 ? "doubled" : "wrong", `exits at once answered ${statuses(raced)}`)
    for (const answer of won) ledger.left(stay, movementOf(answer))
    await counted(stay.premises)
    // The exit that won, sent again to all: the same answer, which the ledger compares.
    const again = await everywhere(() => exitOf(token, stay, stay.exit))
    expect(
      again.every(({ status }) => status === 202),
      "wrong",
      `an exit again answered ${statuses(again)}`
    )
    for (const answer of again) if (answer.status === 202) ledger.left(stay, movementOf(answer))
    await counted(stay.premises)
  }

  const enteredTwice = async ({ person, premises, token }: Resident) => {
    for (const where of premises) {
      const stay = oneStay(await everywhere(() => tracking(token, where, { movementType: 1 })), where, person)
      await counted(where)
      if (stay !== undefined) await leave(token, stay)
    }
  }

  const retried = async ({ premises, token }: Resident) => {
    for (const where of premises) {
      const key = nextKey()
      const stay = oneStay(await everywhere(() => tracking(token, where, { movementType: 1 }, key)), where)
      await counted(where)
      if (stay !== undefined) await leave(token, stay)
    }
  }

  const known = town.residents.filter(({ person }) => person !== undefined)
  const unknown = town.residents.filter(({ person }) => person === undefined)
  for (let nth = 0; nth < times; nth++) {
    await enteredTwice(known[nth % known.length]!)
    await retried(unknown[nth % unknown.length]!)
  }
  const stays = times * (known[0]!.premises.length + unknown[0]!.premises.length)
  return [
    { what: "entrances of one person through all servers at once: one stay", times: times * known[0]!.premises.length },
    { what: "entrances with one Idempotency-Key through all: one stay", times: times * unknown[0]!.premises.length },
    { what: "exits at different times through all at once: one wins, the others are refused", times: stays },
    { what: "the exit that won, again through all: the same answer", times: stays },
    { what: "counters through every server after each of these", times: 3 * stays }
  ]
}

import type { Random } from "@sojourn/testing"
import type { Answer, ClientRequest } from "./client.ts"
import { nameOf, type Stay } from "./Ledger.ts"
import { exitOf, movementOf, nextKey, tracking } from "./movements.ts"
import type { Phone, CrowdContext } from "./phone.ts"
import type { Resident } from "./town.ts"

/** One resident's movements: with and without Idempotency-Key, with and without timestamp, sometimes repeated. */
export const resident =
  ({ ledger }: CrowdContext, random: Random, keyed: number, { token, premises, person }: Resident) =>
  (phone: Phone) => {
    /** The open stay, with its entrance request if that can be repeated. */
    let inside: { readonly stay: Stay; readonly entrance: ClientRequest | undefined } | undefined

    const same = (answer: Answer, stay: Stay) => {
      const again = ledger.entered(stay.premises, movementOf(answer), person)
      if (again !== stay) ledger.fault("doubled", `one entrance of ${nameOf(stay.premises)} opened two stays`)
    }

    const enter = async () => {
      const where = random.pick(premises)
      const isKeyed = random.chance(keyed)
      const timestamp = random.chance(0.3)
        ? new Date(Date.now() - random.between(1_000, 60_000)).toISOString()
        : undefined
      const movement = { movementType: 1, ...(timestamp !== undefined && { timestamp }) }
      const request = tracking(token, where, movement, isKeyed ? nextKey() : undefined)
      // An entrance of a person with an open stay answers that stay, with or without a key.
      const isRepeatable = isKeyed || person !== undefined
      if (!isRepeatable) {
        const answer = await phone.askOnce(request, 201)
        if (answer === undefined) return ledger.unanswered(where)
        const stay = ledger.entered(where, movementOf(answer), person)
        if (stay !== undefined) inside = { stay, entrance: undefined }
        return
      }
      const twice = random.chance(0.1)
      const [answer, other] = await Promise.all([
        phone.insist(request, 201),
        twice ? phone.insist(request, 201) : Promise.resolve(undefined)
      ])
      const stay = answer && ledger.entered(where, movementOf(answer), person)
      if (stay === undefined) return
      if (other !== undefined) same(other, stay)
      inside = { stay, entrance: request }
    }

    const leave = async (stay: Stay) => {
      const request = exitOf(token, stay, random.chance(0.5) ? new Date().toISOString() : undefined)
      const times = random.chance(0.1) ? 2 : 1
      const answers = await Promise.all(Array.from({ length: times }, () => phone.insist(request, 202)))
      for (const answer of answers) if (answer !== undefined) ledger.left(stay, movementOf(answer))
      if (random.chance(0.1)) {
        const again = await phone.insist(request, 202)
        if (again !== undefined) ledger.left(stay, movementOf(again))
      }
      inside = undefined
    }

    return async () => {
      if (inside === undefined) return enter()
      const { stay, entrance } = inside
      if (random.chance(0.3)) return
      if (entrance !== undefined && random.chance(0.15)) {
        const answer = await phone.insist(entrance, 201)
        return answer && same(answer, stay)
      }
      return leave(stay)
    }
  }

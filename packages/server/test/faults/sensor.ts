import type { Random } from "@sojourn/testing"
import type { Phone, CrowdContext } from "./phone.ts"
import type { Sensor } from "./town.ts"

/** The totals of an epoch. */
interface Totals {
  readonly epoch: string
  readonly in: number
  readonly out: number
}

let epochs = 0

/** A door counter that sends its totals, sometimes twice at once, and sometimes older ones after newer ones. */
export const sensor =
  ({ ledger }: CrowdContext, random: Random, { token, premises }: Sensor) =>
  (phone: Phone) => {
    let totals: Totals = { epoch: `${++epochs}`, in: 0, out: 0 }
    let inside = 0

    const send = (reading: Totals) => {
      const of = premises.kind === "place" ? { placeId: premises.id } : { organization: true }
      return phone.insist(
        { method: "POST", path: "/device/count", token, json: { readings: [{ ...of, ...reading }] } },
        200
      )
    }

    return async () => {
      const before = totals
      if (random.chance(0.1)) totals = { epoch: `${++epochs}`, in: 0, out: 0 }
      const into = random.below(4)
      const out = Math.min(inside + into, random.below(4))
      totals = { ...totals, in: totals.in + into, out: totals.out + out }
      inside += into - out
      const newest = totals
      await Promise.all(random.chance(0.2) ? [send(newest), send(newest)] : [send(newest)])
      ledger.counts(premises, into - out)
      if (random.chance(0.2)) await send(before)
    }
  }

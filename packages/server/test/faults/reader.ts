import { bodyOf } from "./client.ts"
import type { Phone, CrowdContext } from "./phone.ts"
import type { Stay } from "./Ledger.ts"
import type { Town } from "./town.ts"

/** A client that reads access lists under load and checks that they contain the acknowledged exits. */
export const reader =
  ({ ledger }: CrowdContext, { owner, anonymous, residents }: Town) =>
  (phone: Phone) => {
    /** The number of closed stays that this reader has already considered. */
    let seen = 0

    const latest = (): Stay | undefined => {
      const fresh = [...ledger.closed.values()].slice(seen)
      seen = ledger.closed.size
      return fresh.findLast(({ person }) => person === undefined)
    }

    return async () => {
      const stay = latest()
      if (stay === undefined) {
        const { kind, id } = anonymous[0]!
        await phone.askOnce({ method: "GET", path: `/presence/${kind}/${id}/counter`, token: owner }, 200)
        return
      }
      const { kind, id } = stay.premises
      const path = `/access/${kind}/${id}/anonymous/${stay.exitToken}`
      const answer = await phone.askOnce({ method: "GET", path, token: residents[0]!.token }, 200)
      if (answer === undefined) return
      const [access] = bodyOf<ReadonlyArray<{ readonly exitTimestamp: string }>>(answer)
      if (access?.exitTimestamp !== stay.exit) ledger.fault("lost", `the exit of stay ${stay.id} is listed otherwise`)
    }
  }

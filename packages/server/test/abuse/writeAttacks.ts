/** Attacks that write in one organization again and again, for `npm run abuse`. */
import type { AttackTools, Sent } from "./attackTools.ts"

const CALLERS = 256
const CROWD = 1_000
const DEVICES = 10

/** The attacks with writes, by their names. */
export const writeAttacks = ({
  flood,
  attacker,
  organization,
  send
}: Pick<AttackTools, "flood" | "organization" | "send"> & { readonly attacker: string }) => {
  /** Floods the write of an organization that `prepare` answers. */
  const writing =
    (callers: number, prepare: (id: number) => Promise<(nth: number) => Omit<Sent, "token">>) => async () => {
      const next = await prepare(await organization({}))
      return () => flood(callers, (nth) => ({ token: attacker, ...next(nth) }))
    }
  const rotating = async (id: number) => {
    const devices: Array<string> = []
    for (let nth = 0; nth < DEVICES; nth++) {
      const json = { name: `door ${nth}`, premises: [{ organization: true }] }
      const made = await send({ token: attacker, method: "POST", path: `/device/organization/${id}`, json })
      if (made.status !== 201) throw new Error(`a device was answered ${made.status}`)
      devices.push(made.json.deviceId)
    }
    return (nth: number) => ({ method: "POST", path: `/device/${devices[nth % DEVICES]}/token` })
  }
  return {
    [`${CALLERS} callers rotate tokens of devices`]: writing(CALLERS, rotating),
    [`${CROWD} callers rotate tokens of devices`]: writing(CROWD, rotating),
    [`${CALLERS} callers correct the people counted`]: writing(CALLERS, async (id) => (nth) => ({
      method: "PUT",
      path: `/presence/organization/${id}/counted`,
      json: { counted: nth % 100 }
    })),
    [`${CALLERS} callers set a capacity`]: writing(CALLERS, async (id) => (nth) => ({
      method: "PUT",
      path: `/capacity/organization/${id}`,
      json: { capacity: 1 + (nth % 100) }
    })),
    [`${CALLERS} callers rename their organization`]: writing(CALLERS, async (id) => (nth) => ({
      method: "PUT",
      path: "/organization",
      json: { id, name: `renamed ${id} ${nth}` }
    }))
  }
}

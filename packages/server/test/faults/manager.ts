import type { Random } from "@sojourn/testing"
import { type ClientRequest, bodyOf } from "./client.ts"
import type { Phone, CrowdContext } from "./phone.ts"
import type { Town } from "./town.ts"

interface Muster {
  readonly musterId: number
  readonly endedAt?: string
}

/** An administrator who changes organizations, capacities and musters, so that feeds have events of every type. */
export const manager =
  ({ client, baseUrl }: CrowdContext, random: Random, { owner, anonymous, authenticated, premises }: Town) =>
  (phone: Phone) => {
    const organizations = [...anonymous, ...authenticated].filter(({ kind }) => kind === "organization")
    let changes = 0

    const put = (path: string, json: object) => phone.insist({ method: "PUT", path, token: owner, json }, 200)
    const post = (path: string, json?: object) => phone.insist({ method: "POST", path, token: owner, json }, 200)

    const muster = async () => {
      const { id } = random.pick(organizations)
      const musters: Omit<ClientRequest, "method"> = { path: `/muster/organization/${id}`, token: owner }
      // A muster whose answer is lost may have started: the list has it.
      await client.ask(baseUrl(), { ...musters, method: "POST", json: { kind: "drill" } })
      const listed = await client.ask(baseUrl(), { ...musters, method: "GET" })
      if (listed.status !== 200) return
      const open = bodyOf<ReadonlyArray<Muster>>(listed).find(({ endedAt }) => endedAt === undefined)
      if (open === undefined) return
      const isAnonymous = anonymous[0]!.id === id
      const marking = isAnonymous ? { count: random.below(21) } : { orgAuthServerIds: ["ada"] }
      await post(`/muster/${open.musterId}/safe`, marking)
      await post(`/muster/${open.musterId}/end`)
    }

    return async () => {
      if (random.chance(0.97)) return
      const { kind, id } = random.pick(premises)
      if (random.chance(0.2)) return muster()
      if (random.chance(0.4)) {
        return void (await put(`/capacity/${kind}/${id}`, { capacity: 1 + random.below(60), warnAt: 0.5 }))
      }
      const description = `change ${++changes}`
      await put("/organization", { id: random.pick(organizations).id, description })
    }
  }

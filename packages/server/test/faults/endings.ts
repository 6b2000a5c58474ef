import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { Operator, OperatorId } from "@sojourn/core"
import { rectangle } from "../../src/demo/areas.ts"
import { DEMO_PASSWORD, DEMO_SERVER } from "../../src/demo/people.ts"
import { type ClientRequest, bodyOf, type Client } from "./client.ts"
import { execute } from "./audit.database.ts"
import { exitOf, movementOf, tracking } from "./movements.ts"
import type { Randomness } from "./randomness.ts"
import { bearer, ownerToken, type Premises, userToken } from "./town.ts"

interface Setting {
  readonly client: Client
  readonly baseUrl: () => string | undefined
  readonly key: OwnIssuer.SigningKey
  readonly random: Randomness
  readonly database: DatabaseAddress
}

/**
 * Ends stays in every way there is, in organizations of its own: places that end while people enter, erased people, stays that are
 * abandoned, exits, and organizations that end. Returns how many of each it did.
 */
export const endStays = async (setting: Setting, isOver: () => boolean): Promise<Readonly<Record<string, number>>> => {
  const { client, baseUrl, key, random, database } = setting
  const [owner, operator] = await Promise.all([ownerToken(key), bearer(key, Operator(OperatorId.make("operator")))])
  const users = await Promise.all(Array.from({ length: 8 }, (_, n) => userToken(key, `visitor-${n}`)))
  const counts: Record<string, number> = {}

  const ask = async (token: string, method: ClientRequest["method"], path: string, json?: object) => {
    const answer = await client.ask(baseUrl(), { method, path, token, json })
    if (answer.status >= 200 && answer.status < 300) return answer
    throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`)
  }
  const idOf = async (token: string, path: string, json: object) =>
    bodyOf<{ readonly id: number }>(await ask(token, "POST", path, json)).id
  const organizationOf = (name: string, more: object) =>
    idOf(operator, "/operator/organization", {
      name,
      trackingArea: rectangle(11, 45, 12, 46),
      owner: { administratorId: "owner", mail: "owner@example.test" },
      ...more
    })
  const enterAll = (premises: Premises) =>
    Promise.all(users.map((token) => client.ask(baseUrl(), tracking(token, premises, { movementType: 1 }))))

  const square = await organizationOf("Market", { trackingMode: "anonymous" })
  const company = await organizationOf("Mill", {
    trackingMode: "authenticated",
    authenticationServerURL: DEMO_SERVER
  })
  await ask(operator, "PUT", `/operator/organization/${square}/policy`, { longestStay: 86_400, eventGrain: 0 })
  const whole: Premises = { kind: "organization", id: square, organizationId: square }

  const ways: Readonly<Record<string, () => Promise<void>>> = {
    exits: async () => {
      const answers = await enterAll(whole)
      await Promise.all(
        answers.map((answer, n) => {
          const { exitToken, timestamp } = movementOf(answer)
          const stay = { id: 0n, premises: whole, person: undefined, exitToken, entrance: timestamp }
          return client.ask(baseUrl(), exitOf(users[n]!, stay))
        })
      )
    },
    "places ended": async () => {
      const id = await idOf(owner, "/place", {
        organizationId: square,
        trackingArea: rectangle(11.4, 45.4, 11.5, 45.5)
      })
      const place: Premises = { kind: "place", id, organizationId: square }
      await enterAll(place)
      await Promise.all([enterAll(place), ask(owner, "DELETE", `/place/${id}`)])
    },
    "people erased": async () => {
      const json = { organizationId: company, username: "ada", password: DEMO_PASSWORD }
      await ask(users[0]!, "POST", "/authenticationserver/link", json)
      const inside = { kind: "organization", id: company, organizationId: company } as const
      await client.ask(baseUrl(), tracking(users[0]!, inside, { movementType: 1 }))
      await ask(operator, "POST", "/operator/personaldata/erase", { organizationId: company, orgAuthServerId: "ada" })
    },
    "stays abandoned": async () => {
      await enterAll(whole)
      // A year passes for them.
      const statement = `update open_stay set recorded_at = recorded_at - interval '1 year' where organization_id = ${square}`
      await execute(database, [statement])
    },
    "organizations ended": async () => {
      const id = await organizationOf(`Fair ${counts["organizations ended"] ?? 0}`, { trackingMode: "anonymous" })
      await enterAll({ kind: "organization", id, organizationId: id })
      await ask(owner, "POST", "/organization/requestdeletion", { organizationId: id })
      const [request] = bodyOf<ReadonlyArray<{ readonly id: number }>>(
        await ask(operator, "GET", "/operator/deletionrequest?status=pending")
      )
      await ask(operator, "POST", `/operator/deletionrequest/${request!.id}/approve`)
    }
  }
  while (!isOver()) {
    const way = random.one(Object.keys(ways))
    await ways[way]!()
    counts[way] = (counts[way] ?? 0) + 1
  }
  return counts
}

import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import type { Random } from "@sojourn/testing"
import { want, whole } from "../fixtures.ts"
import type { Client } from "./client.ts"
import { execute } from "./audit.database.ts"
import { fixturesOn, type Premises } from "./town.ts"

interface Setting {
  readonly client: Client
  readonly baseUrl: () => string | undefined
  readonly key: OwnIssuer.SigningKey
  readonly random: Random
  readonly database: DatabaseAddress
}

/**
 * Ends stays in every way there is, in organizations of its own: places that end while people enter, erased people, stays that are
 * abandoned, exits, and organizations that end. Returns how many of each it did.
 */
export const endStays = async (setting: Setting, isOver: () => boolean): Promise<Readonly<Record<string, number>>> => {
  const { client, baseUrl, key, random, database } = setting
  const fixtures = fixturesOn(client, baseUrl, key)
  const { authenticated, deleteOrganization, enter, leave, operator, organization, owner, put } = fixtures
  const users = Array.from({ length: 8 }, (_, n) => fixtures.sojourn.user(`visitor-${n}`))
  const counts: Record<string, number> = {}
  /** Some may be refused, as the place ends meanwhile. */
  const enterAll = (premises: Premises) => Promise.all(users.map((user) => enter(user, premises)))

  const { id: square } = await organization()
  const { id: company } = await authenticated()
  const policy = { longestStay: 86_400, eventGrain: 0 }
  want(await put(operator, `/operator/organization/${square}/policy`, policy), 200)

  const ways: Readonly<Record<string, () => Promise<void>>> = {
    exits: async () => {
      const entrances = await enterAll(whole(square))
      await Promise.all(entrances.map(({ json }, n) => leave(users[n]!, whole(square), json.exitToken)))
    },
    "places ended": async () => {
      const place = await fixtures.premisesOf("place", square)
      await enterAll(place)
      const [, ended] = await Promise.all([enterAll(place), fixtures.remove(owner, `/place/${place.id}`)])
      want(ended, 205)
    },
    "people erased": async () => {
      await fixtures.linked(company, "ada", users[0])
      await enter(users[0]!, whole(company))
      want(await fixtures.eraseData({ organizationId: company, orgAuthServerId: "ada" }), 200)
    },
    "stays abandoned": async () => {
      await enterAll(whole(square))
      // A year passes for them.
      const statement = `update open_stay set recorded_at = recorded_at - interval '1 year' where organization_id = ${square}`
      await execute(database, [statement])
    },
    "organizations ended": async () => {
      const { id } = await organization()
      await enterAll(whole(id))
      await deleteOrganization(id)
    }
  }
  while (!isOver()) {
    const way = random.pick(Object.keys(ways))
    await ways[way]!()
    counts[way] = (counts[way] ?? 0) + 1
  }
  return counts
}

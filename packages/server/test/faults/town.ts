/** The organizations, places and people of fault tests. */
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { makeCallers } from "../callers.ts"
import { makeFixtures, type Premises, want, whole } from "../fixtures.ts"
import type { Client } from "./client.ts"

export type { Premises }

/** A user with a token; in an authenticated organization also a person. */
export interface Resident {
  readonly token: string
  /** The premises that this resident visits. */
  readonly premises: ReadonlyArray<Premises>
  readonly person?: string
}

/** A door counter of the anonymous organization. */
export interface Sensor {
  readonly token: string
  readonly premises: Premises
}

/** Organizations, places and people, created through the interface. */
export interface Town {
  /** The token of the owner of all organizations. */
  readonly owner: string
  readonly premises: ReadonlyArray<Premises>
  readonly anonymous: ReadonlyArray<Premises>
  readonly authenticated: ReadonlyArray<Premises>
  readonly residents: ReadonlyArray<Resident>
  readonly sensors: ReadonlyArray<Sensor>
}

const PEOPLE = ["ada", "alan", "grace"]

export const userToken = async (key: OwnIssuer.SigningKey, id: string) => makeCallers(key).user(id).token

/** The token of the owner of all organizations. */
export const ownerToken = async (key: OwnIssuer.SigningKey) => makeCallers(key).administrator("the-owner").token

/** Fixtures on a server whose issuer signs with this key. */
export const fixturesOn = ({ ask }: Client, baseUrl: () => string | undefined, key: OwnIssuer.SigningKey) =>
  makeFixtures({
    ...makeCallers(key),
    call: async (who, method, path, sent) => {
      const token = typeof who === "string" ? who : await who?.token
      return ask(baseUrl(), { method, path, token, ...sent })
    }
  })

/**
 * Creates a town on an empty server: an anonymous organization with two places, whose users visit all of it, and
 * `companies` authenticated organizations with one place and three people each.
 */
export const foundTown = async (
  client: Client,
  baseUrl: string,
  key: OwnIssuer.SigningKey,
  { crowd, companies }: { readonly crowd: number; readonly companies: number }
): Promise<Town> => {
  const { authenticated, linked, organization, owner, post, premisesOf, sojourn } = fixturesOn(
    client,
    () => baseUrl,
    key
  )
  const withPlaces = async ({ id }: { readonly id: number }, places: number): Promise<ReadonlyArray<Premises>> => {
    const all = [whole(id)]
    for (let i = 0; i < places; i++) all.push(await premisesOf("place", id, i))
    return all
  }
  const square = await withPlaces(await organization(), 2)
  const residents: Array<Resident> = await Promise.all(
    Array.from({ length: crowd }, async (_, i) => ({ token: await sojourn.user(`phone-${i}`).token, premises: square }))
  )
  const sensors: Array<Sensor> = []
  for (const premises of [square[0]!, square[1]!, square[1]!]) {
    const named = premises.kind === "place" ? { placeId: premises.id } : { organization: true }
    const draft = { name: "Door", premises: [named] }
    const { token } = want(await post(owner, `/device/organization/${premises.organizationId}`, draft), 201).json
    sensors.push({ token, premises })
  }
  const company: Array<Premises> = []
  for (let i = 0; i < companies; i++) {
    const premises = await withPlaces(await authenticated(), 1)
    company.push(...premises)
    for (const person of PEOPLE) {
      const { token } = await linked(premises[0]!.id, person, sojourn.user(`${person}-${i}`))
      residents.push({ token: await token, premises, person })
    }
  }
  return {
    owner: await owner.token,
    premises: [...square, ...company],
    anonymous: square,
    authenticated: company,
    residents,
    sensors
  }
}

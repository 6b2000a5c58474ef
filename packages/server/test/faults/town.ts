/** The organizations, places and people of fault tests. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { rectangle } from "../../src/demo/areas.ts"
import { DEMO_PASSWORD, DEMO_SERVER } from "../../src/demo/people.ts"
import { type Answer, type ClientRequest, bodyOf, type Client } from "./client.ts"

/** The premises that people enter and leave. */
export interface Premises {
  readonly kind: "organization" | "place"
  readonly id: number
  readonly organizationId: number
}

/** A user with a token; in an authenticated organization also a person. */
export interface Resident {
  readonly token: string
  /** The premises that this resident visits. */
  readonly premises: ReadonlyArray<Premises>
  readonly person?: string
}

/** Organizations, places and people, created through the interface. */
export interface Town {
  readonly owner: string
  readonly premises: ReadonlyArray<Premises>
  readonly anonymous: ReadonlyArray<Premises>
  readonly authenticated: ReadonlyArray<Premises>
  readonly residents: ReadonlyArray<Resident>
}

const PEOPLE = ["ada", "alan", "grace"]

/** Mints a token of the server's own issuer, valid for an hour. */
export const bearer = (key: OwnIssuer.SigningKey, caller: Caller): Promise<string> =>
  Effect.runPromise(Effect.map(OwnIssuer.mint(key, caller, { expiresIn: 3600 }), Redacted.value))

export const userToken = (key: OwnIssuer.SigningKey, id: string) => bearer(key, User(UserId.make(id)))

export const ownerToken = (key: OwnIssuer.SigningKey) =>
  bearer(key, Administrator(AdministratorId.make("owner"), Mail.make("owner@example.test")))

/**
 * Creates a town on an empty server: an anonymous organization with two places, whose users visit all of it, and
 * `companies` authenticated organizations with one place and three people each.
 */
export const foundTown = async (
  { ask }: Client,
  baseUrl: string,
  key: OwnIssuer.SigningKey,
  { crowd, companies }: { readonly crowd: number; readonly companies: number }
): Promise<Town> => {
  const owner = await ownerToken(key)
  const operator = await bearer(key, Operator(OperatorId.make("operator")))
  const made = async (request: ClientRequest): Promise<Answer> => {
    const answer = await ask(baseUrl, request)
    if (answer.status !== 201) throw new Error(`${request.path} answered ${answer.status}: ${answer.text}`)
    return answer
  }
  const idOf = async (path: string, token: string, json: object) =>
    bodyOf<{ readonly id: number }>(await made({ method: "POST", path, token, json })).id

  const organization = async (name: string, more: object, places: number): Promise<ReadonlyArray<Premises>> => {
    const draft = { name, trackingArea: rectangle(11, 45, 12, 46), ...more }
    const boss = { administratorId: "owner", mail: "owner@example.test" }
    const id = await idOf("/operator/organization", operator, { ...draft, owner: boss })
    const all: Array<Premises> = [{ kind: "organization", id, organizationId: id }]
    for (let i = 0; i < places; i++) {
      const trackingArea = rectangle(11.1 + i / 10, 45.1, 11.15 + i / 10, 45.2)
      all.push({
        kind: "place",
        id: await idOf("/place", owner, { organizationId: id, trackingArea }),
        organizationId: id
      })
    }
    return all
  }

  const anonymous = await organization("Square", { trackingMode: "anonymous" }, 2)
  const residents: Array<Resident> = await Promise.all(
    Array.from({ length: crowd }, async (_, i) => ({ token: await userToken(key, `phone-${i}`), premises: anonymous }))
  )
  const authenticated: Array<Premises> = []
  for (let i = 0; i < companies; i++) {
    const mode = { trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER }
    const premises = await organization(`Company ${i}`, mode, 1)
    authenticated.push(...premises)
    for (const person of PEOPLE) {
      const token = await userToken(key, `${person}-${i}`)
      const json = { organizationId: premises[0]!.id, username: person, password: DEMO_PASSWORD }
      await made({ method: "POST", path: "/authenticationserver/link", token, json })
      residents.push({ token, premises, person })
    }
  }
  return { owner, premises: [...anonymous, ...authenticated], anonymous, authenticated, residents }
}

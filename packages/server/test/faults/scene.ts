import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { ExitTokens, type ExitTokenScheme } from "@sojourn/core"
import { issuerKey } from "@sojourn/server"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { tokenKeys } from "../../src/TokenKeys.ts"
import { type Client, makeClient } from "./asking.ts"
import { auditDatabase } from "./audit.database.ts"
import { auditInterface } from "./audit.interface.ts"
import { type Crowd, makeCrowd } from "./crowd.ts"
import { type Follower, follow } from "./follower.ts"
import { type Ledger, makeLedger } from "./Ledger.ts"
import type { Surroundings, Weather } from "./phone.ts"
import type { Randomness } from "./randomness.ts"
import { reader } from "./reader.ts"
import { resident } from "./resident.ts"
import { foundTown, type Town } from "./town.ts"

/** What a server signs and derives tokens with. */
export interface Keys {
  readonly key: OwnIssuer.SigningKey
  readonly tokens: ExitTokenScheme
}

/** The keys of a data directory, made there when there are none. */
export const keysIn = (data: string): Promise<Keys> =>
  Effect.runPromise(
    Effect.all({
      key: issuerKey(data),
      tokens: Effect.flatMap(tokenKeys(data, Redacted.make("")), (keys) =>
        Effect.provide(ExitTokens, ExitTokens.layer(keys))
      )
    })
  )

export interface Setting extends Keys {
  readonly baseUrl: () => string | undefined
  readonly random: Randomness
  /** How many people come and go in the anonymous organization. */
  readonly crowd: number
  /** How many organizations there are that know their people, three each. */
  readonly companies: number
  /** How probably an entrance has an Idempotency-Key. */
  readonly keyed: number
}

/** A server, a town on it, and a crowd that comes and goes there. */
export interface Scene {
  readonly client: Client
  readonly town: Town
  readonly ledger: Ledger
  readonly crowd: Crowd
  readonly weather: Weather
  /** Follows all organizations from the beginning on. */
  readonly follower: Follower
  /** Ends the follower and the connections of the client. */
  readonly close: () => Promise<void>
  /**
   * Lets people come and go while something is done, until every one of them is served again, and looks what became of
   * them. With `silent`, requests may go without any answer meanwhile.
   */
  readonly during: (
    what: () => Promise<void>,
    database: () => DatabaseAddress,
    options?: { readonly silent?: boolean }
  ) => Promise<void>
  /**
   * Compares what the crowd was told with the database and the interface, when the crowd is settled. Of who left, access
   * lists are looked at from the `since`th on.
   */
  readonly audit: (database: DatabaseAddress, since?: number) => Promise<void>
}

/** Founds a town on a server that has none. */
export const makeScene = async ({
  key,
  tokens,
  baseUrl,
  random,
  crowd: size,
  companies,
  keyed
}: Setting): Promise<Scene> => {
  const client = makeClient()
  const here = () => {
    const url = baseUrl()
    if (url === undefined) throw new Error("there is no server")
    return url
  }
  const town = await foundTown(client, here(), key, { crowd: size, companies })
  const ledger = makeLedger(tokens)
  const weather: Weather = { mayRefuse: false, mayBeSilent: false }
  const surroundings: Surroundings = { client, ledger, baseUrl, weather }
  const walkers = town.residents.map((one) => resident(surroundings, random.fork(), keyed, one))
  const crowd = makeCrowd(surroundings, random, [...walkers, reader(surroundings, town)])
  const follower = follow(ledger, baseUrl, town.owner, town.premises)
  const audit = async (database: DatabaseAddress, since = 0) => {
    await auditDatabase(database, ledger, town.premises)
    await follower.settle()
    await auditInterface(client, here(), ledger, town, [...ledger.closed.values()].slice(since))
  }
  const close = async () => {
    await follower.stop()
    client.close()
  }
  const during: Scene["during"] = async (what, database, { silent = false } = {}) => {
    crowd.start()
    await crowd.servedSince(performance.now())
    weather.mayRefuse = true
    weather.mayBeSilent = silent
    await what()
    await crowd.servedSince(performance.now())
    weather.mayRefuse = false
    weather.mayBeSilent = false
    await crowd.settle()
    await audit(database())
  }
  return { client, town, ledger, crowd, weather, follower, close, during, audit }
}

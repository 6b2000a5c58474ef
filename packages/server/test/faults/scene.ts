/** The setting of fault tests: a town on a server, a crowd that moves in it, and the audits of what happened. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { type ExitTokenScheme, keyOfStorage, makeExitTokenScheme, type StorageId } from "@sojourn/core"
import { issuerKey } from "@sojourn/server"
import { Random } from "@sojourn/testing"
import { Effect, Redacted } from "effect"
import { tokenKeys } from "../../src/keys/TokenKeys.ts"
import { type Client, makeClient } from "./client.ts"
import { auditDatabase, query } from "./audit.database.ts"
import { auditEntries } from "./audit.entries.ts"
import { auditFeed } from "./audit.feed.ts"
import { auditInterface } from "./audit.interface.ts"
import { type Crowd, makeCrowd } from "./crowd.ts"
import { type Follower, follow } from "./follower.ts"
import { type Ledger, makeLedger } from "./Ledger.ts"
import { manager } from "./manager.ts"
import type { CrowdContext, ToleratedFailures } from "./phone.ts"
import { reader } from "./reader.ts"
import { resident } from "./resident.ts"
import { sensor } from "./sensor.ts"
import { foundTown, type Town } from "./town.ts"

/** The keys with which a server signs bearer tokens and derives exit tokens. */
export interface Keys {
  readonly key: OwnIssuer.SigningKey
  readonly tokens: ExitTokenScheme
}

/** The issuer's key of a data directory, which is created when it is missing. */
export const keyIn = (data: string): Promise<OwnIssuer.SigningKey> => Effect.runPromise(issuerKey(data))

/** The keys of a data directory on a storage, whose identity is in a table of the database. */
export const keysIn = async (data: string, database: DatabaseAddress, table = "storage_identity"): Promise<Keys> => {
  const [storage] = await query<{ readonly identity: StorageId }>(
    database,
    `select identity::text as identity from ${table}`
  )
  const keys = await Effect.runPromise(tokenKeys(data, Redacted.make("")))
  const [first, ...others] = keys.map((key) => keyOfStorage(key, storage!.identity))
  return { key: await keyIn(data), tokens: makeExitTokenScheme([first!, ...others]) }
}

export interface Setting extends Keys {
  readonly baseUrl: () => string | undefined
  /** The database that `during` audits. */
  readonly database?: () => DatabaseAddress | Promise<DatabaseAddress>
  /** The choices of the crowd; SOJOURN_SEED decides them by default. */
  readonly random?: Random
  /** The number of users of the anonymous organization. */
  readonly crowd: number
  /** The number of authenticated organizations, with three people each. */
  readonly companies: number
  /** The probability that an entrance has an Idempotency-Key. */
  readonly keyed: number
  /** The number of followers that leave their streams and resume them, beside the one that stays (default 0). */
  readonly roaming?: number
  /** Whether an administrator changes organizations, their capacities and musters meanwhile (default: no). */
  readonly isManaged?: boolean
}

/** A server, a town on it, and a crowd of clients that enter and leave there. */
export interface Scene {
  readonly client: Client
  readonly town: Town
  readonly ledger: Ledger
  readonly crowd: Crowd
  readonly tolerated: ToleratedFailures
  /** They follow all organizations from the beginning on. */
  readonly followers: ReadonlyArray<Follower>
  /** Ends the followers and the connections of the client. */
  readonly close: () => Promise<void>
  /**
   * Runs the crowd during `what` and until every client is served again, then audits the movements. Rejects with the
   * faults, if there are any. With `silent`, requests may remain unanswered during `what`.
   */
  readonly during: (what: () => Promise<void>, options?: { readonly silent?: boolean }) => Promise<void>
  /**
   * Compares the crowd's ledger with the database and the interface. The crowd must be settled. Access lists are checked
   * for closed stays from the `since`th on.
   */
  readonly audit: (database: DatabaseAddress, since?: number) => Promise<void>
}

/** Creates a town on an empty server, and the crowd. */
export const makeScene = async ({
  key,
  tokens,
  baseUrl,
  database,
  random = new Random(Number(process.env.SOJOURN_SEED ?? "20260301")),
  crowd: size,
  companies,
  keyed,
  roaming = 0,
  isManaged = false
}: Setting): Promise<Scene> => {
  const client = makeClient()
  const here = () => {
    const url = baseUrl()
    if (url === undefined) throw new Error("there is no server")
    return url
  }
  const town = await foundTown(client, here(), key, { crowd: size, companies })
  const ledger = makeLedger(tokens)
  const tolerated: ToleratedFailures = { mayRefuse: false, mayBeSilent: false }
  const context: CrowdContext = { client, ledger, baseUrl, tolerated }
  const walkers = town.residents.map((one) => resident(context, new Random(random.below(2 ** 32)), keyed, one))
  const sensors = town.sensors.map((one) => sensor(context, new Random(random.below(2 ** 32)), one))
  const managers = isManaged ? [manager(context, new Random(random.below(2 ** 32)), town)] : []
  const crowd = makeCrowd(context, random, [...walkers, ...sensors, ...managers, reader(context, town)])
  const followers = Array.from({ length: 1 + roaming }, (_, n) => {
    const own = new Random(random.below(2 ** 32))
    return follow(ledger, baseUrl, town.owner, town.premises, n === 0 ? undefined : () => own.between(20, 2_000))
  })
  const audit = async (database: DatabaseAddress, since = 0) => {
    await auditDatabase(database, ledger, town.premises)
    await auditEntries(database, ledger)
    await Promise.all(followers.map((follower) => follower.settle()))
    const versions = await auditFeed(database, ledger)
    await Promise.all(followers.map((follower) => follower.reach(versions)))
    await auditInterface(client, here(), ledger, town, [...ledger.closed.values()].slice(since))
  }
  const close = async () => {
    await Promise.all(followers.map((follower) => follower.stop()))
    client.close()
  }
  const during: Scene["during"] = async (what, { silent = false } = {}) => {
    crowd.start()
    await crowd.servedSince(performance.now())
    tolerated.mayRefuse = true
    tolerated.mayBeSilent = silent
    try {
      await what()
      await crowd.servedSince(performance.now())
      tolerated.mayRefuse = false
      tolerated.mayBeSilent = false
    } finally {
      // A crowd that goes on would make later tests fail that have nothing to do with it.
      await crowd.settle()
    }
    if (database !== undefined) await audit(await database())
    if (ledger.faults.length > 0) throw new Error(ledger.faults.map(({ kind, what }) => `${kind}: ${what}`).join("\n"))
  }
  return { client, town, ledger, crowd, tolerated, followers, close, during, audit }
}

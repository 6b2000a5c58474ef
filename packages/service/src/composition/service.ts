/** The whole service on PostgreSQL: use cases, HTTP interface and background work. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import {
  CellNumber,
  type SecretKey,
  type SecretKeysInvalid,
  WebhookReceivers,
  type WebhookReceiverPolicy
} from "@sojourn/core"
import { Effect, Layer } from "effect"
import { type BackgroundOptions, layerBackgroundWork } from "../background/layer.ts"
import { layerNodeKeys } from "../keys/layerNodeKeys.ts"
import { layerFailed, StartupError } from "../shared/StartupError.ts"
import { type CellLocation, layerCells } from "../storage/cells.ts"
import { layerPostgres } from "../storage/postgres.ts"
import { Storage, type StorageOptions } from "../storage/Storage.ts"
import { type InterfaceOptions, layerInterface } from "./layer.ts"

/** The options of a whole service. */
export interface ServiceOptions
  extends Omit<InterfaceOptions, "isReady">, BackgroundOptions, Omit<StorageOptions, "keys" | "migrate" | "cell"> {
  /** The database: a URL, a socket, or a `PgClient` of the application. */
  readonly database: DatabaseAddress
  /** The cells beside the database, which is the home cell then, cell 0 with weight 1. Every process has the same. */
  readonly cells?: ReadonlyArray<CellLocation> | undefined
  /** The keys of exit tokens: the first derives new ones. Every process on the database has the same. */
  readonly tokenKeys: ReadonlyArray<SecretKey>
  /** Whether the schema is created and migrated, or only checked; it is migrated by default. */
  readonly migrate?: boolean | undefined
  /** Whether this process does the background work; it does by default. Without it another process has to. */
  readonly background?: boolean | undefined
  /** The receivers that webhooks may have; by default any https server but those at special addresses, such as loopback. */
  readonly webhookReceivers?: WebhookReceiverPolicy | undefined
}

const keysInvalid = ({ reason }: SecretKeysInvalid) =>
  layerFailed(new StartupError({ message: `the keys of exit tokens are invalid: ${reason}` }))

/** The stores in the database, or over cells of which it is the first. */
const layerStorage = ({ database: address, cells, tokenKeys: keys, migrate = true, ...options }: ServiceOptions) => {
  if (cells === undefined) return layerPostgres(address, { ...options, keys, migrate })
  const { schema, pooled, notifications, ...shared } = options
  const home = { number: CellNumber.make(0), weight: 1, address, schema, pooled, notifications }
  return layerCells([home, ...cells], { ...shared, keys, migrate })
}

/**
 * The whole service: every use case of core, the `Dispatcher` of the HTTP interface, and the background work, on a schema of its own in
 * a PostgreSQL. A database that is away fails the layer, unless there is `onRefused`.
 */
export const layer = ({ database, tokenKeys, background = true, webhookReceivers, ...options }: ServiceOptions) => {
  const interfaceOfService = Layer.unwrap(Effect.map(Storage, ({ isReady }) => layerInterface({ ...options, isReady })))
  return interfaceOfService.pipe(
    Layer.merge(background ? layerBackgroundWork(options) : Layer.empty),
    Layer.provide(webhookReceivers === undefined ? Layer.empty : Layer.succeed(WebhookReceivers, webhookReceivers)),
    Layer.provideMerge(Layer.catchTag(layerNodeKeys(tokenKeys), "SecretKeysInvalid", keysInvalid)),
    Layer.provideMerge(layerStorage({ ...options, database, tokenKeys }))
  )
}

/** The storage in a PostgreSQL, as a whole or over cells. */
import type { DatabaseAddress, DatabaseOptions } from "@sojourn/adapter-postgres"
import { CellNumber } from "@sojourn/core"
import { type CellLocation, layerCells, layerPostgres, type LayerStorage, type StorageOptions } from "@sojourn/service"
import type { CellChoice, CellsChoice, DatabaseChoice } from "./StorageChoice.ts"

/** What the stores need to know of a database beside its URL. */
export const optionsOf = ({ schema, pooled, citus, notifyUrl: url }: DatabaseChoice): DatabaseOptions => ({
  schema,
  pooled,
  citus,
  notifications: url && { url }
})

/** The cells of a storage, of which the first is the home cell, at an address. */
export const cellLocations = (
  address: DatabaseAddress,
  { schema, pooled, notifications }: DatabaseOptions,
  { homeWeight, others }: CellsChoice
): readonly [CellLocation, ...ReadonlyArray<CellLocation>] => {
  const home = { address, pooled, notifications }
  const locationOf = ({ number, weight, database }: CellChoice): CellLocation =>
    "url" in database
      ? { number, weight, address: { url: database.url }, ...optionsOf(database) }
      : { ...home, number, weight, schema: database.schema }
  return [{ ...home, number: CellNumber.make(0), weight: homeWeight, schema }, ...others.map(locationOf)]
}

/** Every store in the database at an address, and in the cells beside it if there are any. */
export const layerDatabase = (
  address: DatabaseAddress,
  options: StorageOptions,
  cells: CellsChoice | undefined
): LayerStorage => {
  if (cells === undefined) return layerPostgres(address, options)
  const { schema, pooled, notifications, ...shared } = options
  return layerCells(cellLocations(address, { schema, pooled, notifications }, cells), shared)
}

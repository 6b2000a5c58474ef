/** Puts failures of a database into one line for the operator, without its credentials. */
import type {
  CitusMissing,
  DatabaseAddress,
  DatabaseNotEmpty,
  migrate,
  NothingToBackUp,
  SchemaNameRefused,
  SchemaOfAnotherCell,
  SchemaOfCells,
  SchemaOfCitus,
  SchemaTooOld,
  SettingsMissing,
  SnapshotInvalid,
  TableUnknown,
  TokenKeyDiffers
} from "@sojourn/adapter-postgres"
import { readDatabaseUrl } from "@sojourn/adapter-postgres"
import { type Effect, Option, Redacted } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StartupError, onOneLine } from "../shared/StartupError.ts"

/** The errors that make a database unusable. */
export type Unusable =
  | CitusMissing
  | Effect.Error<typeof migrate>
  | SchemaNameRefused
  | SchemaOfAnotherCell
  | SchemaOfCells
  | SchemaOfCitus
  | SchemaTooOld
  | SettingsMissing
  | TokenKeyDiffers
  | DatabaseNotEmpty
  | NothingToBackUp
  | SnapshotInvalid
  | TableUnknown

/** The hosts and ports of a database, without its user and password; empty for a Unix socket. */
export const hostOf = (address: DatabaseAddress): string => {
  const { url, host, port: ownPort } = "client" in address ? address.client.config : { url: undefined, ...address }
  if (url === undefined) return host === undefined ? "" : `${host}:${ownPort ?? 5432}`
  return Option.match(readDatabaseUrl(Redacted.value(url)), {
    onNone: () => "",
    onSome: ({ hosts }) =>
      hosts.flatMap(({ host, port }) => (host === undefined ? [] : `${host}:${port ?? 5432}`)).join(", ")
  })
}

/** The message of PostgreSQL or the network. Where Node tried several addresses it has one message for each: the first is taken. */
export const reasonOf = ({ message, reason: { cause } }: SqlError): string => {
  const told = cause instanceof AggregateError ? cause.errors[0] : cause
  return onOneLine((told instanceof Error && told.message) || message)
}

/** What to do about an error of PostgreSQL or the network, by its SQLSTATE or code: empty where the message says it. */
const adviceOn = ({ reason }: SqlError): string => {
  const code = String((reason.cause as { readonly code?: unknown } | undefined)?.code ?? "")
  if (code.startsWith("28")) return ": correct the user and the password of its URL"
  if (code === "3D000") return ": create the database, or correct the name in its URL"
  if (code === "42501" || code === "3F000")
    return ": let its user create schemas, or create the schema and let its user create tables there"
  return reason._tag === "ConnectionError" && !code.startsWith("5") ? ": start it, or correct its URL" : ""
}

/**
 * Why a database cannot be used, in one line for the operator, with PostgreSQL's own message; a `StartupError` as it is.
 */
export const explain = (error: Unusable | StartupError, address?: DatabaseAddress): StartupError => {
  if (error._tag === "StartupError") return error
  const failure = error._tag === "MigrationFailed" && isSqlError(error.cause) ? error.cause : error
  if (failure._tag !== "SqlError") return new StartupError({ message: onOneLine(failure.message) })
  const host = address === undefined ? "" : hostOf(address)
  return new StartupError({
    message: `the database cannot be used: ${host === "" ? "" : `${host}: `}${reasonOf(failure)}${adviceOn(failure)}`
  })
}

import type {
  DatabaseNotEmpty,
  migrate,
  NothingToBackUp,
  SchemaTooOld,
  SnapshotInvalid,
  TableUnknown,
  TokenKeyDiffers
} from "@sojourn/adapter-postgres"
import type * as Effect from "effect/Effect"
import { CommandFailed, onOneLine } from "../CommandFailed.ts"

/** The errors that make a database unusable. */
export type Unusable =
  | Effect.Error<typeof migrate>
  | SchemaTooOld
  | TokenKeyDiffers
  | DatabaseNotEmpty
  | NothingToBackUp
  | SnapshotInvalid
  | TableUnknown

/** Why a database cannot be used, in one line for the operator, with PostgreSQL's own message; a `CommandFailed` as it is. */
export const explain = (error: Unusable | CommandFailed): CommandFailed => {
  if (error._tag === "CommandFailed") return error
  if (error._tag !== "SqlError") return new CommandFailed({ message: onOneLine(error.message) })
  const { cause } = error.reason
  const told = cause instanceof Error ? cause.message : ""
  return new CommandFailed({ message: `the database cannot be used: ${onOneLine(told || error.message)}` })
}

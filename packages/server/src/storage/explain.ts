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

/** Why a database cannot be used. */
export type Unusable =
  | Effect.Error<typeof migrate>
  | SchemaTooOld
  | TokenKeyDiffers
  | DatabaseNotEmpty
  | NothingToBackUp
  | SnapshotInvalid
  | TableUnknown

/** Why a database cannot be used, in one line for the operator, with PostgreSQL's own message. */
export const explain = (error: Unusable): CommandFailed => {
  if (error._tag !== "SqlError") return new CommandFailed({ message: onOneLine(error.message) })
  const { cause } = error.reason
  const told = cause instanceof Error ? cause.message : ""
  return new CommandFailed({ message: `the database cannot be used: ${onOneLine(told || error.message)}` })
}

/** The same, where a command may have failed for a reason of its own. */
export const explained = (error: Unusable | CommandFailed): CommandFailed =>
  error._tag === "CommandFailed" ? error : explain(error)

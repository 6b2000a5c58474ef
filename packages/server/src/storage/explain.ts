import type { migrate, SchemaTooOld, TokenKeyDiffers } from "@sojourn/adapter-postgres"
import type * as Effect from "effect/Effect"
import { CommandFailed, onOneLine } from "../CommandFailed.ts"

/** Why a database cannot be used, in one line for the operator. What PostgreSQL itself says of it comes with it. */
export const explain = (error: Effect.Error<typeof migrate> | SchemaTooOld | TokenKeyDiffers): CommandFailed => {
  if (error._tag !== "SqlError") return new CommandFailed({ message: onOneLine(error.message) })
  const { cause } = error.reason
  const told = cause instanceof Error ? cause.message : ""
  return new CommandFailed({ message: `the database cannot be used: ${onOneLine(told || error.message)}` })
}

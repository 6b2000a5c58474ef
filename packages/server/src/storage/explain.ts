import type { migrate, SchemaTooOld, TokenKeyDiffers } from "@sojourn/adapter-postgres"
import type * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.ts"

const firstLine = (text: string) => text.split("\n", 1)[0] ?? ""

/** Why a database cannot be used, in one line for the operator. What PostgreSQL itself says of it comes with it. */
export const explain = (error: Effect.Error<typeof migrate> | SchemaTooOld | TokenKeyDiffers): CommandFailed => {
  if (error._tag !== "SqlError") return new CommandFailed({ message: firstLine(error.message) })
  const { cause } = error.reason
  const told = cause instanceof Error ? cause.message : ""
  return new CommandFailed({ message: `the database cannot be used: ${firstLine(told || error.message)}` })
}

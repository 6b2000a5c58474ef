/** Says in one line why a program cannot start. */
import { MigrationFailed } from "@sojourn/adapter-postgres"
import { SecretKeysInvalid } from "@sojourn/core"
import { isSqlError } from "effect/sql/SqlError"
import { explain } from "../storage/explain.ts"
import { messageOf, onOneLine } from "../shared/StartupError.ts"

/** The longest explanation, in characters. */
const MAX_LENGTH = 400

interface ListenError extends Error {
  readonly code: string
  readonly address?: string
  readonly port?: number
}

const isListenError = (error: unknown): error is ListenError =>
  error instanceof Error && "syscall" in error && error.syscall === "listen"

/** Why an address cannot be listened on. */
export const explainListening = (error: unknown): string => {
  if (!isListenError(error)) return messageOf(error)
  const where = error.port === undefined ? (error.address ?? "") : `port ${error.port}`
  switch (error.code) {
    case "EADDRINUSE":
      return `${where} is taken by another program: end it, or choose another port`
    case "EACCES":
      return `${where} is not permitted: choose a port from 1024 on`
    default:
      return error.message
  }
}

/**
 * The reason why a program cannot start, as one line of at most 400 characters: of an error of the service, or of any other.
 */
export const explainStart = (error: unknown): string => {
  const reason =
    isSqlError(error) || error instanceof MigrationFailed
      ? explain(error).message
      : error instanceof SecretKeysInvalid
        ? `${error.message}: ${error.reason}`
        : isListenError(error)
          ? `cannot listen: ${explainListening(error)}`
          : messageOf(error)
  const line = onOneLine(reason)
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line
}

/** Prints why a program cannot start, and ends it with exit code 1. */
export const exitWithReason = (error: unknown): never => {
  console.error(explainStart(error))
  process.exit(1)
}

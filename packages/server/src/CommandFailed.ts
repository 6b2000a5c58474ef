import * as Data from "effect/Data"

/** The failure of a command, with the one line that it prints. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** Joins the lines of a message. */
export const onOneLine = (message: string): string => message.trim().replace(/\s*\n\s*/g, " ")

import * as Data from "effect/Data"

/** A command cannot do what it was asked: one clear line for whoever typed it. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** A message of several lines as one. */
export const onOneLine = (message: string): string => message.trim().replace(/\s*\n\s*/g, " ")

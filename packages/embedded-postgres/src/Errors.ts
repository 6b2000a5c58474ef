/** The errors of this package, with messages for an operator. */
import { Data, Effect } from "effect"

/** The first line of what went wrong, of a system call or anything else that was thrown. */
export const firstLine = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : String(cause)
  return text.split("\n", 1)[0] ?? ""
}

/** The options cannot be used; `reason` says which one and why. */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/** This machine cannot run the PostgreSQL that the platform packages have, or its package is not installed. */
export class PlatformUnsupported extends Data.TaggedError("PlatformUnsupported")<{
  readonly platform: string
  readonly reason: string
}> {
  override get message(): string {
    return `PostgreSQL cannot run here (${this.platform}): ${this.reason}`
  }
}

/** Another live process runs a server on the directory, or the server of another program does. */
export class DirectoryInUse extends Data.TaggedError("DirectoryInUse")<{
  readonly directory: string
  /** The process that uses it, where it could be found out. */
  readonly processId: number | undefined
}> {
  override get message(): string {
    const user = this.processId === undefined ? "another process" : `process ${this.processId}`
    return `${this.directory} is in use by ${user}: stop that process, or choose another directory`
  }
}

/** The directory cannot be created, read or written, or it holds something else. Nothing in it was changed. */
export class DirectoryUnusable extends Data.TaggedError("DirectoryUnusable")<{
  readonly directory: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.directory} cannot be used: ${this.reason}`
  }
}

/** Runs file operations on a directory. Fails with `DirectoryUnusable`, for the reason that the system gives. */
export const useDirectory = <A>(directory: string, f: () => A): Effect.Effect<A, DirectoryUnusable> =>
  Effect.try({ try: f, catch: (cause) => new DirectoryUnusable({ directory, reason: firstLine(cause) }) })

/** The directory was made by another major version of PostgreSQL, which this one cannot read. Nothing was changed. */
export class OtherMajorVersion extends Data.TaggedError("OtherMajorVersion")<{
  readonly directory: string
  readonly found: string
  readonly supported: string
}> {
  override get message(): string {
    return `${this.directory} holds data of PostgreSQL ${this.found}, and this is PostgreSQL ${this.supported}: dump it with the old version, and restore it into a new directory`
  }
}

/** PostgreSQL did not start, or did not become ready in time. */
export class StartFailed extends Data.TaggedError("StartFailed")<{
  readonly directory: string
  readonly reason: string
  /** The end of what PostgreSQL wrote, at most some 4000 characters. */
  readonly log: string
}> {
  override get message(): string {
    return `PostgreSQL did not start in ${this.directory}: ${this.reason}`
  }
}

/** Why a layer of this package could not be built. */
export type EmbeddedPostgresError =
  | InvalidOptions
  | PlatformUnsupported
  | DirectoryInUse
  | DirectoryUnusable
  | OtherMajorVersion
  | StartFailed

/** A database could not be created, dropped or looked for. */
export class DatabaseFailed extends Data.TaggedError("DatabaseFailed")<{
  readonly database: string
  readonly action: "create" | "drop" | "find"
  readonly reason: string
  /** PostgreSQL's error code (SQLSTATE), such as `42P04` for a database that exists already; absent when it gave none. */
  readonly code: string | undefined
}> {
  override get message(): string {
    return `could not ${this.action} the database ${JSON.stringify(this.database)}: ${this.reason}`
  }
}

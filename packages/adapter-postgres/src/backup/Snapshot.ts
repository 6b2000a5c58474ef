/** The parts of a backup, and the errors of taking and restoring one. The caller decides how they are written to a file. */
import { Data } from "effect"

/** The metadata of a backup. */
export interface Snapshot {
  /** The version of the schema that the rows are of. */
  readonly schema: number
  /** When it was taken, by the database's clock, as RFC 3339. */
  readonly takenAt: string
  /** The last value of each sequence, in decimal digits: no id above it is in the rows. */
  readonly sequences: { readonly [name: string]: string }
}

/** Some rows of one table, each as a JSON object on one line, its members named by the columns. */
export interface Rows {
  readonly table: string
  readonly rows: ReadonlyArray<string>
}

/** The database has no schema of Sojourn: there is nothing to back up. */
export class NothingToBackUp extends Data.TaggedError("NothingToBackUp")<{}> {
  override get message(): string {
    return "the database holds nothing of Sojourn"
  }
}

/** The database is not empty, as restoring a backup requires. Nothing was changed. */
export class DatabaseNotEmpty extends Data.TaggedError("DatabaseNotEmpty")<{ readonly table: string }> {
  override get message(): string {
    return `the database is not empty: it has a table ${this.table}`
  }
}

/** The backup holds rows of a table that its version of the schema does not have. Nothing was changed. */
export class TableUnknown extends Data.TaggedError("TableUnknown")<{ readonly table: string }> {
  override get message(): string {
    return `the backup holds a table that Sojourn does not know: ${this.table}`
  }
}

/** The backup violates an invariant: it was not made by a server, or was modified. Nothing was changed. */
export class SnapshotInvalid extends Data.TaggedError("SnapshotInvalid")<{ readonly reason: string }> {
  override get message(): string {
    return `the backup cannot be restored: it has ${this.reason}`
  }
}

/** PostgreSQL as a library: a server that runs as long as its scope, without an installation. */
export type { Connection } from "./Connection.ts"
export type { CreateOptions, Databases } from "./Databases.ts"
export { EmbeddedPostgres, make, type Server } from "./EmbeddedPostgres.ts"
export {
  DatabaseFailed,
  DirectoryInUse,
  DirectoryUnusable,
  type EmbeddedPostgresError,
  InvalidOptions,
  OtherMajorVersion,
  PlatformUnsupported,
  StartFailed
} from "./Errors.ts"
export { makeDirectory } from "./makeDirectory.ts"
export type { Options, ServerOptions } from "./Options.ts"

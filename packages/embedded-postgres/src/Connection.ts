import { closeSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { Effect, Redacted, type Scope } from "effect"
import { SUPERUSER } from "./Cluster.ts"
import type { Directory } from "./Directory.ts"
import { type DirectoryUnusable, useDirectory } from "./Errors.ts"
import type { Listening } from "./Settings.ts"

/** How to connect. `@effect/sql-pg` takes it as it is: `PgClient.layer({ ...connection })`. */
export interface Connection {
  /** `127.0.0.1`, with TCP alone. */
  readonly host?: string
  readonly port: number
  /** The file of the Unix socket; absent with TCP. */
  readonly path?: string
  readonly username: string
  /** With TCP alone. Over the socket, the system says who is calling. */
  readonly password?: Redacted.Redacted
  readonly database: string
}

/** Programs compare it with the socket's file name, so it is a port's number even where there is no port. */
export const SOCKET_PORT = 5432

/** The longest path of a socket, in bytes, with its closing NUL: a field of fixed size. */
const LONGEST = process.platform === "linux" ? 107 : 103

const socketFile = (folder: string, port: number) => join(folder, `.s.PGSQL.${port}`)

/** Whether the path of the socket fits, by itself or by a detour. */
export const socketFits = (directory: Directory): boolean =>
  process.platform === "linux" || Buffer.byteLength(socketFile(directory.data, SOCKET_PORT)) <= LONGEST

/** A port of 127.0.0.1 which is free now. */
export const freePort: Effect.Effect<number> = Effect.callback((resume) => {
  const server = createServer()
  server.once("error", (error) => resume(Effect.die(error)))
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** The folder of the socket; where its path is too long, by a detour that this process keeps open. */
const socketFolder = ({ data }: Directory, port: number): Effect.Effect<string, never, Scope.Scope> =>
  Buffer.byteLength(socketFile(data, port)) <= LONGEST
    ? Effect.succeed(data)
    : Effect.acquireRelease(
        Effect.sync(() => openSync(data, "r")),
        (descriptor) => Effect.sync(() => closeSync(descriptor))
      ).pipe(Effect.map((descriptor) => `/proc/${process.pid}/fd/${descriptor}`))

/** How to connect to a server that listens like this. */
export const connectionTo = (
  directory: Directory,
  { port, transport }: Listening
): Effect.Effect<Connection, DirectoryUnusable, Scope.Scope> => {
  const common = { port, username: SUPERUSER, database: SUPERUSER }
  if (transport === "socket") {
    return Effect.map(socketFolder(directory, port), (folder) => ({ ...common, path: socketFile(folder, port) }))
  }
  return useDirectory(directory.path, () => {
    const password = Redacted.make(readFileSync(directory.password, "utf8").trim())
    return { ...common, host: "127.0.0.1", password }
  })
}

/** The address for other programs, such as psql. */
export const urlOf = (connection: Connection, database: string): Redacted.Redacted => {
  const { host, password, path, port, username } = connection
  const name = encodeURIComponent(database)
  if (path !== undefined) {
    const folder = encodeURIComponent(dirname(path))
    return Redacted.make(`postgresql:///${name}?host=${folder}&port=${port}&user=${username}`)
  }
  const secret = password === undefined ? "" : `:${encodeURIComponent(Redacted.value(password))}`
  return Redacted.make(`postgresql://${username}${secret}@${host}:${port}/${name}`)
}

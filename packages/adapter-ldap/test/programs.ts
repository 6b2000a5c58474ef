/** Servers of the machine that tests run as processes, such as OpenLDAP and nginx. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { connect, createServer } from "node:net"
import { delimiter, join } from "node:path"
import { Effect } from "effect"

/** The first of some paths where a file is. */
export const firstOf = (paths: ReadonlyArray<string>) => paths.find((path) => existsSync(path))

/** The program that a variable names, or the one of the machine. */
export const findProgram = (name: string, named: string | undefined): string | undefined =>
  firstOf(named ? [named] : [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"].map((path) => join(path, name)))

/** Why tests with a program do not run, or undefined when it was found. In CI a missing program is an error. */
export const unlessMissing = (found: unknown, why: string): string | undefined => {
  if (found !== undefined) return undefined
  if (process.env.CI) throw new Error(why)
  console.warn(`Tests are skipped: ${why}`)
  return why
}

/** Ports of the loopback that are free. */
export const freePorts = (count: number) =>
  Effect.promise(async () => {
    const servers = Array.from({ length: count }, () => createServer())
    const ports = await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve) => {
            server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port))
          })
      )
    )
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    return ports
  })

const connects = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resume(Effect.succeed(true)))
    socket.once("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  })

/**
 * Runs a server until its input is closed, which also happens when this process is killed, then removes its folder. So
 * neither a process nor a folder is left, even after a crash of the tests.
 */
const KEEPER =
  'directory=$1; shift; "$@" </dev/null & server=$!; read -r _; kill $server; wait $server; rm -rf "$directory"'

const launch = (directory: string, command: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("sh", ["-c", KEEPER, "sh", directory, ...command], {
        stdio: ["pipe", "ignore", "ignore"],
        // A signal to the tests' group is not for it: it ends when its input does.
        detached: true
      })
      return { child, exited: new Promise<void>((resolve) => child.once("exit", () => resolve())) }
    }),
    ({ child, exited }) =>
      Effect.promise(() => {
        child.stdin.destroy()
        return exited
      })
  )

/** Runs a server with its folder, and waits until it listens on a port. It stops with its scope, and the folder goes with it. */
export const runServer = Effect.fnUntraced(function* (
  directory: string,
  command: readonly [program: string, ...args: ReadonlyArray<string>],
  port: number
) {
  yield* launch(directory, command)
  const deadline = performance.now() + 60_000
  while (!(yield* connects(port))) {
    if (performance.now() > deadline) return yield* Effect.die(new Error(`${command[0]} did not start`))
    yield* Effect.sleep("10 millis")
  }
})

/** The candidates of the comparison, each a process of its own that ends with the scope. */
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect, Redacted } from "effect"
import { LoadFailed } from "../shared/jobs.ts"

/** What a candidate is started with. */
export interface Ground {
  readonly databaseUrl: Redacted.Redacted
  /** A data directory with the issuer's key. */
  readonly directory: string
  /** The public half of the issuer's key, in PEM. */
  readonly publicKey: string
}

/** A program with arguments and environment. */
export interface Program {
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

const { SOJOURN_BUNDLE, SOJOURN_BUNDLE_BEFORE } = process.env

/** The server's bundle, or its sources. */
const PROGRAM = SOJOURN_BUNDLE || fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url))

/** A server of the interface, or of a part of it. */
export interface Candidate {
  readonly name: string
  /** Whether it makes its own tables and organizations, or uses those of the peers. */
  readonly isSojourn: boolean
  /** Whether it is left out unless it is asked for. */
  readonly isExtra?: boolean
  readonly program: (ground: Ground) => Program
}

const sojourn = (name: string, bundle: string, env: Program["env"] = {}): Candidate => ({
  name,
  isSojourn: true,
  program: ({ databaseUrl, directory }) => ({
    args: ["--conditions=source", bundle, "serve", "--storage", "postgres", "--port", "0", "--data", directory],
    env: { SOJOURN_DATABASE_URL: Redacted.value(databaseUrl), ...env }
  })
})

/** The server with so many workers. */
const withWorkers = (workers: number): Candidate => ({
  ...sojourn(`sojourn-workers-${workers}`, PROGRAM, { SOJOURN_WORKERS: String(workers) }),
  isExtra: true
})

const peer = (name: string, kind: string): Candidate => ({
  name,
  isSojourn: false,
  program: ({ databaseUrl, publicKey }) => ({
    args: [fileURLToPath(new URL("peers/main.ts", import.meta.url)), kind],
    env: { DATABASE_URL: Redacted.value(databaseUrl), PUBLIC_KEY: publicKey }
  })
})

/** The candidate that all others are compared with. */
export const REFERENCE = "fastify-pg"

/** All candidates: the server, its former version that SOJOURN_BUNDLE_BEFORE names, the server with workers, and two peers. */
export const CANDIDATES: ReadonlyArray<Candidate> = [
  sojourn("sojourn", PROGRAM),
  withWorkers(2),
  withWorkers(4),
  ...(SOJOURN_BUNDLE_BEFORE === undefined ? [] : [sojourn("sojourn-before", SOJOURN_BUNDLE_BEFORE)]),
  peer(REFERENCE, "single"),
  peer("fastify-pg-group-commit", "group-commit")
]

/** A program that listens. */
export interface Server {
  readonly processId: number
  readonly host: string
  readonly port: number
}

/** The characters of output that are kept, for the message of a failure. */
const MAX_OUTPUT = 4_000

/** The time that a program may take to end, in milliseconds. */
const GRACE_MS = 5_000

const end = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS)
    child.once("exit", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

const listening = (child: ChildProcess): Effect.Effect<Server, LoadFailed> =>
  Effect.callback((resume) => {
    let output = ""
    const read = (chunk: Buffer) => {
      output = `${output}${chunk.toString("utf8")}`.slice(-MAX_OUTPUT)
      const [, host, port] = /^listening on http:\/\/([^:\s]+):(\d+)/m.exec(output) ?? []
      if (host === undefined) return
      // Later output, such as a line for every request, is read and dropped: keeping it would cost the measuring process.
      for (const stream of [child.stdout!, child.stderr!]) stream.off("data", read).resume()
      resume(Effect.succeed({ processId: child.pid!, host, port: Number(port) }))
    }
    child.stdout!.on("data", read)
    child.stderr!.on("data", read)
    child.once("close", () => resume(Effect.fail(new LoadFailed({ reason: `a candidate did not start: ${output}` }))))
  })

/** Starts a program for the time of the scope, and waits until it listens. */
export const startServer = Effect.fnUntraced(function* ({ args, env }: Program) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, args, {
        env: { ...process.env, NODE_ENV: "production", ...env },
        // The channel closes when this process ends, whatever way that is, and the program then ends as well.
        stdio: ["ignore", "pipe", "pipe", "ipc"]
      })
    ),
    end
  )
  return yield* listening(child)
})

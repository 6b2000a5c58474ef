import { Effect, type Scope } from "effect"
import type { Account } from "./Account.ts"
import * as Child from "./Child.ts"
import type { Programs } from "./Programs.ts"

/**
 * A helper process that stops PostgreSQL when this process has ended, even by SIGKILL. The operating system then closes the
 * pipe between them, and the watchdog sends the signal that it received last.
 */
export interface Watchdog {
  /** Sets the signal and its target: a process id, or a process group when negative. */
  readonly guard: (signal: "INT" | "KILL", target: number) => void
  /** Removes the target. */
  readonly release: () => void
}

/** The watchdog on POSIX systems. It ignores signals that a terminal or a service manager sends to the whole group. */
const SHELL = `signal=NONE; trap '' HUP INT TERM
while read -r s t; do signal=$s target=$t; done
[ "$signal" = NONE ] || kill -s "$signal" -- "$target"`

/** The watchdog on Windows, which has neither this shell nor signals: pg_ctl emulates PostgreSQL's signals. */
const SCRIPT = `let last = "NONE 0"
process.stdin.on("data", (chunk) => { last = String(chunk).trim().split("\\n").pop() })
process.stdin.on("end", () => {
  const [signal, target] = last.split(" ")
  if (signal === "INT") require("node:child_process").spawnSync(process.argv[1], ["kill", "INT", target])
  if (signal === "KILL") try { process.kill(Math.abs(target)) } catch {}
})`

const command = (programs: Programs, account: Account | undefined): Child.Command => ({
  ...(process.platform === "win32"
    ? { program: process.execPath, args: ["-e", SCRIPT, programs.pgCtl] }
    : { program: "/bin/sh", args: ["-c", SHELL, "embedded-postgres-watchdog"] }),
  account,
  stdio: ["pipe", "ignore", "ignore"]
})

/** Runs a watchdog until the end of the scope. */
export const make = Effect.fnUntraced(function* (
  programs: Programs,
  account: Account | undefined
): Effect.fn.Return<Watchdog, Error, Scope.Scope> {
  const child = yield* Effect.acquireRelease(Child.start(command(programs, account)), ({ ended, stdin }) =>
    Effect.suspend(() => {
      stdin?.end("NONE 0\n")
      return ended
    })
  )
  // A write to a watchdog that was killed fails. If this process is killed too, the next start stops PostgreSQL.
  child.stdin?.on("error", () => {})
  const send = (order: string) => void child.stdin?.write(`${order}\n`)
  return {
    guard: (signal, target) => send(`${signal} ${target}`),
    release: () => send("NONE 0")
  }
})

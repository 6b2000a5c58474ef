import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
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
const SHELL = `signal=$1 target=$2; trap '' HUP INT TERM
while read -r s t; do signal=$s target=$t; done
[ "$signal" = NONE ] || kill -s "$signal" -- "$target"`

/** The watchdog on Windows, which has neither this shell nor signals: pg_ctl emulates PostgreSQL's signals. */
const SCRIPT = `let last = process.argv.slice(2).join(" ")
process.stdin.on("data", (chunk) => { last = String(chunk).trim().split("\\n").pop() })
process.stdin.on("end", () => {
  const [signal, target] = last.split(" ")
  if (signal === "INT") require("node:child_process").spawnSync(process.argv[1], ["kill", "INT", target])
  if (signal === "KILL") try { process.kill(Math.abs(target)) } catch {}
})`

interface Order {
  readonly signal: "INT" | "KILL" | "NONE"
  readonly target: number
}

const NOTHING: Order = { signal: "NONE", target: 0 }

/** The watchdog's command. Its arguments contain the first order, so that it is in effect from the start. */
const command = (programs: Programs, account: Account | undefined, order: Order): Child.Command => {
  const first = [order.signal, String(order.target)]
  return {
    ...(process.platform === "win32"
      ? { program: process.execPath, args: ["-e", SCRIPT, programs.pgCtl, ...first] }
      : { program: "/bin/sh", args: ["-c", SHELL, "embedded-postgres-watchdog", ...first] }),
    account,
    stdio: ["pipe", "ignore", "ignore"]
  }
}

/** Runs a watchdog until the end of the scope. When it is killed, another one is started. */
export const make = Effect.fnUntraced(function* (
  programs: Programs,
  account: Account | undefined
): Effect.fn.Return<Watchdog, Error, Scope.Scope> {
  let order = NOTHING
  let current: Child.Child | undefined
  const tell = (next: Order) => {
    order = next
    current?.stdin?.write(`${next.signal} ${next.target}\n`)
  }

  const start = Effect.gen(function* () {
    const child = yield* Child.start(command(programs, account, order))
    // A write to a watchdog that has ended fails; the loop below handles its end.
    child.stdin?.on("error", () => {})
    current = child
    // The order may have changed during the start.
    tell(order)
    return child
  })

  const first = yield* Effect.acquireRelease(start, () =>
    Effect.suspend(() => {
      tell(NOTHING)
      current?.stdin?.end()
      return current?.ended ?? Effect.void
    })
  )
  yield* Effect.gen(function* () {
    let child = first
    while (true) {
      yield* child.ended
      yield* Effect.logWarning(`The watchdog of PostgreSQL (process ${child.pid}) has ended: starting another one`)
      yield* Effect.sleep("100 millis")
      child = yield* Effect.uninterruptible(start)
    }
  }).pipe(
    Effect.catch((error) => Effect.logError(`No watchdog of PostgreSQL could be started: ${error.message}`)),
    Effect.forkScoped
  )
  return {
    guard: (signal, target) => tell({ signal, target }),
    release: () => tell(NOTHING)
  }
})

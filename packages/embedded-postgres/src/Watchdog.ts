import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Account } from "./Account.ts"
import * as Child from "./Child.ts"
import type { Programs } from "./Programs.ts"

/**
 * Ends what this process started when this process is gone, however it went: the system closes its pipe to the watchdog,
 * and the watchdog then sends the signal that it was told last.
 */
export interface Watchdog {
  /** From now on, `signal` is for `target`: a process, or a group when it is negative. */
  readonly guard: (signal: "INT" | "KILL", target: number) => void
  /** From now on there is nothing to end. */
  readonly release: () => void
}

/** Deaf to every signal that a terminal or a service manager sends to all: it goes when Node is gone. */
const SHELL = `signal=$1 target=$2; trap '' HUP INT TERM
while read -r s t; do signal=$s target=$t; done
[ "$signal" = NONE ] || kill -s "$signal" -- "$target"`

/** Windows has no shell and no signals: pg_ctl has PostgreSQL's own. */
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

/** It gets its first order with its arguments: from its first moment on it knows what to do when Node is gone. */
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

/** A watchdog until the end of the scope. When it is killed, another one takes its place. */
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
    // Its end shows below: a write to one that is gone is no news.
    child.stdin?.on("error", () => {})
    current = child
    // The order may have changed since.
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

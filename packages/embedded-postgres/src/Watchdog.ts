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
const SHELL = `signal=NONE; trap '' HUP INT TERM
while read -r s t; do signal=$s target=$t; done
[ "$signal" = NONE ] || kill -s "$signal" -- "$target"`

/** Windows has no shell and no signals: pg_ctl has PostgreSQL's own. */
const SCRIPT = `let last = ""
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

const NOTHING = "NONE 0\n"

/** A watchdog until the end of the scope. When it is killed, another one takes its place. */
export const make = Effect.fnUntraced(function* (
  programs: Programs,
  account: Account | undefined
): Effect.fn.Return<Watchdog, Error, Scope.Scope> {
  let order = NOTHING
  let current: Child.Child | undefined
  const tell = (child: Child.Child | undefined) => child?.stdin?.write(order)

  const start = Effect.gen(function* () {
    const child = yield* Child.start(command(programs, account))
    // Its end shows below: a write to one that is gone is no news.
    child.stdin?.on("error", () => {})
    current = child
    tell(child)
    return child
  })
  const release = () => {
    order = NOTHING
    tell(current)
  }

  const first = yield* Effect.acquireRelease(start, () =>
    Effect.suspend(() => {
      release()
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
    guard: (signal, target) => {
      order = `${signal} ${target}\n`
      tell(current)
    },
    release
  }
})

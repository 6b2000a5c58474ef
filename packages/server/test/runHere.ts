import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit } from "effect"
import { format } from "node:util"
import { runSojourn } from "../src/commands/sojourn.ts"

/** Runs a command in this process, with these variables alone, and collects what it prints. A process takes half a second to start. */
export const runHere = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const printed = { out: "", err: "" }
  const print =
    (to: keyof typeof printed) =>
    (...words: ReadonlyArray<unknown>) =>
      void (printed[to] += `${format(...words)}\n`)
  const console = { ...globalThis.console, log: print("out"), error: print("err") }
  const exit = await runSojourn(args, env).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Console.Console, console),
    Effect.runPromiseExit
  )
  return { code: Exit.isSuccess(exit) ? 0 : 1, ...printed }
}

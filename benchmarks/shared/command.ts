/** Runs a benchmark as a command. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Data, Effect, Runtime } from "effect"
import { Command } from "effect/cli"

/** What was measured is wrong, as was printed. */
class Faulty extends Data.TaggedError("Faulty") {
  override readonly [Runtime.errorReported] = false
}

/** Prints the faults, and fails if there are any. */
export const requireFaultless = (faults: ReadonlyArray<string>): Effect.Effect<void, Faulty> =>
  faults.length === 0 ? Effect.void : Effect.andThen(Console.error(faults.join("\n")), new Faulty())

/** Runs a command with the arguments of the process. Exit codes: 1 for faults and failures, 130 where a signal interrupted it. */
export const runCommand = <Name extends string, Input, E>(
  command: Command.Command<Name, Input, {}, E, Command.Environment>
): void =>
  Command.run(command, { version: process.version }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)

#!/usr/bin/env node
/** The entry point of the `sojourn` command line. */
// Must come first: compiles schemas in this process, which libraries leave to the program.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Stdio } from "effect"
import { runSojourn } from "./commands/sojourn.ts"
import { endAtOnceWhenAskedTwice } from "./signals.ts"
import { onEnd } from "./workers/worker.ts"

const { askToEnd } = endAtOnceWhenAskedTwice()

onEnd(askToEnd)

// A parent that opened an IPC channel owns the server: the server ends with its parent.
if (process.connected) {
  process.once("disconnect", askToEnd)
  process.channel?.unref()
}

Stdio.Stdio.use(({ args }) => Effect.flatMap(args, (typed) => runSojourn(typed, process.env))).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
)

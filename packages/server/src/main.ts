#!/usr/bin/env node
/** The entry point of the `sojourn` command line. */
// Must come first: compiles schemas in this process, which libraries leave to the program.
import "effect/schema/SchemaJITCompiler/enable"
import { explainStart } from "@sojourn/service"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Command from "effect/cli/Command"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stdio from "effect/Stdio"
import { backup } from "./commands/backup.ts"
import { cells } from "./commands/cells.ts"
import { configFlag, readConfiguration } from "./commands/configuration.ts"
import { checkIdentity } from "./commands/checkIdentity.ts"
import { demo } from "./commands/demo.ts"
import { device } from "./commands/device.ts"
import { layerPresenter, tieValues } from "./commands/invocation.ts"
import { migrate } from "./commands/migrate.ts"
import { deletionRequest, organization } from "./commands/operate.ts"
import { person } from "./commands/person.ts"
import { policy } from "./commands/policy.ts"
import { restore } from "./commands/restore.ts"
import { serve } from "./commands/serve.ts"
import { token } from "./commands/token.ts"
import { version as versionCommand } from "./commands/version.ts"
import { endAtOnceWhenAskedTwice } from "./signals.ts"
import { version } from "./shared/version.ts"
import { onEnd } from "./workers/messages.ts"

const { askToEnd } = endAtOnceWhenAskedTwice()

onEnd(askToEnd)

// A parent that opened an IPC channel owns the server: the server ends with its parent.
if (process.connected) {
  process.once("disconnect", askToEnd)
  process.channel?.unref()
}

const sojourn = Command.make("sojourn").pipe(
  Command.withDescription("The presence-tracking service"),
  Command.withSubcommands([
    serve,
    token,
    demo,
    organization,
    deletionRequest,
    device,
    person,
    policy,
    migrate,
    cells,
    backup,
    restore,
    checkIdentity,
    versionCommand
  ]),
  Command.withGlobalFlags([configFlag])
)

const main = Effect.gen(function* () {
  const args = tieValues(yield* Stdio.Stdio.use(({ args }) => args))
  const { variables, origin } = yield* readConfiguration(args)
  yield* Command.runWith(sojourn, { version })(args).pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: variables as Record<string, string> })
    ),
    Effect.provide(layerPresenter(origin))
  )
})

main.pipe(
  Effect.tapErrorTag("StartupError", (error) => Console.error(`sojourn: ${explainStart(error)}`)),
  Effect.tapDefect((defect) => Console.error("sojourn: this should not happen:", defect)),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
)

/** The `sojourn` command line, without the process that runs it. */
import { explainStart } from "@sojourn/service"
import * as Command from "effect/cli/Command"
import { ConfigProvider, Console, Effect } from "effect"
import { backup } from "./backup.ts"
import { cells } from "./cells.ts"
import { configFlag, readConfiguration } from "./configuration.ts"
import { checkIdentity } from "./checkIdentity.ts"
import { demo } from "./demo.ts"
import { device } from "./device.ts"
import { importCommand } from "./import.ts"
import { layerPresenter, tieValues } from "./invocation.ts"
import { migrate } from "./migrate.ts"
import { deletionRequest, organization, TypedCommand } from "./operate.ts"
import { person } from "./person.ts"
import { policy } from "./policy.ts"
import { restore } from "./restore.ts"
import { serve } from "./serve.ts"
import { token } from "./token.ts"
import { version as versionCommand } from "./version.ts"
import { version } from "../shared/version.ts"

const sojourn = Command.make("sojourn").pipe(
  Command.withDescription("The presence-tracking service"),
  Command.withSubcommands([
    serve,
    token,
    demo,
    organization,
    deletionRequest,
    device,
    importCommand,
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

/** The words of a command, such as `organization create`. */
const commandOf = (args: ReadonlyArray<string>): string => {
  const [first = "", second = ""] = args
  return /^[a-z-]+$/.test(second) && !second.startsWith("-") ? `${first} ${second}` : first
}

/** Runs the command of the arguments, with the variables of an environment; a failure is reported on stderr in one line. */
export const runSojourn = (typed: ReadonlyArray<string>, environment: Readonly<Record<string, string | undefined>>) =>
  Effect.gen(function* () {
    const args = tieValues(typed)
    const { variables, origin } = yield* readConfiguration(args, environment)
    yield* Command.runWith(sojourn, { version })(args).pipe(
      Effect.provideService(TypedCommand, commandOf(args)),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnv({ env: variables as Record<string, string> })
      ),
      Effect.provide(layerPresenter(origin))
    )
  }).pipe(
    Effect.tapErrorTag("StartupError", (error) => Console.error(`sojourn: ${explainStart(error)}`)),
    Effect.tapDefect((defect) => Console.error("sojourn: this should not happen:", defect))
  )

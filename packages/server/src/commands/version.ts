import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import { version as ours } from "../shared/version.ts"

/** Prints what `--version` prints, for those who look for a command. */
export const version = Command.make("version", {}, () =>
  CliOutput.defaultPresenter.present({ _tag: "Version", name: "sojourn", version: ours })
).pipe(Command.withDescription("Prints the version"))

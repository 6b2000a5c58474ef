import * as Effect from "effect/Effect"
import type { Command } from "./commands.ts"

/** Commands with a chunk left out, or with a member of a race left out: from large to small. */
function* smaller(commands: ReadonlyArray<Command>): Generator<ReadonlyArray<Command>> {
  for (let size = Math.ceil(commands.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = commands.length - size; start > -size; start -= size) {
      yield [...commands.slice(0, Math.max(0, start)), ...commands.slice(start + size)]
    }
  }
  for (const [index, command] of commands.entries()) {
    if (command._tag !== "Race") continue
    for (const member of command.members) {
      const rest = command.members.filter((other) => other !== member)
      const replacement: ReadonlyArray<Command> = rest.length > 1 ? [{ ...command, members: rest }] : rest
      yield [...commands.slice(0, index), ...replacement, ...commands.slice(index + 1)]
    }
  }
}

/**
 * Fewer commands that still fail: chunks are left out as long as what remains fails. `fails` answers the failure and how
 * many commands it took. At most `tries` runs are made.
 */
export const shrink = Effect.fnUntraced(function* <F extends { readonly step: number }>(
  failing: ReadonlyArray<Command>,
  failure: F,
  tries: number,
  fails: (commands: ReadonlyArray<Command>) => Effect.Effect<F | undefined>
) {
  let smallest = { commands: failing.slice(0, failure.step + 1), failure }
  let left = tries
  let isShrinking = true
  while (isShrinking && left > 0) {
    isShrinking = false
    for (const candidate of smaller(smallest.commands)) {
      if (left-- <= 0) break
      const still = yield* fails(candidate)
      if (still === undefined) continue
      smallest = { commands: candidate.slice(0, still.step + 1), failure: still }
      isShrinking = true
      break
    }
  }
  return smallest
})

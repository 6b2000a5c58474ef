/** Makes a run that fails shorter, as long as it still fails. */
import * as Effect from "effect/Effect"
import type { Command } from "./commands.ts"

/** The commands without one member of one of their races: every way to do so. */
const withoutOneMember = (commands: ReadonlyArray<Command>): ReadonlyArray<ReadonlyArray<Command>> =>
  commands.flatMap((command, index) =>
    command._tag !== "Race"
      ? []
      : command.members.map((member) => {
          const rest = command.members.filter((other) => other !== member)
          const replacement: ReadonlyArray<Command> = rest.length > 1 ? [{ ...command, members: rest }] : rest
          return [...commands.slice(0, index), ...replacement, ...commands.slice(index + 1)]
        })
  )

/**
 * Fewer commands that still fail: chunks are left out, large ones first, and members of races at last, as long as what
 * remains fails. `fails` answers the failure and the step at which it came. At most `tries` runs are made.
 */
export const shrink = Effect.fnUntraced(function* <F extends { readonly step: number }>(
  failing: ReadonlyArray<Command>,
  failure: F,
  tries: number,
  fails: (commands: ReadonlyArray<Command>) => Effect.Effect<F | undefined>
) {
  let smallest = { commands: failing.slice(0, failure.step + 1), failure }
  const runs = { left: tries }

  const attempt = Effect.fnUntraced(function* (candidate: ReadonlyArray<Command>) {
    if (runs.left-- <= 0) return false
    const still = yield* fails(candidate)
    if (still === undefined) return false
    smallest = { commands: candidate.slice(0, still.step + 1), failure: still }
    return true
  })

  /** Leaves out what it can of chunks of a size, from the end to the beginning. */
  const leaveOut = Effect.fnUntraced(function* (size: number) {
    let isSmaller = false
    for (
      let end = smallest.commands.length;
      end > 0 && runs.left > 0;
      end = Math.min(end - size, smallest.commands.length)
    ) {
      const { commands } = smallest
      const candidate = [...commands.slice(0, Math.max(0, end - size)), ...commands.slice(end)]
      isSmaller = (yield* attempt(candidate)) || isSmaller
    }
    return isSmaller
  })

  for (let size = Math.ceil(smallest.commands.length / 2); size > 1; size = Math.ceil(size / 2)) yield* leaveOut(size)
  let isSmaller = true
  while (isSmaller && runs.left > 0) {
    isSmaller = yield* leaveOut(1)
    for (const candidate of withoutOneMember(smallest.commands)) {
      if (!(yield* attempt(candidate))) continue
      isSmaller = true
      break
    }
  }
  return smallest
})

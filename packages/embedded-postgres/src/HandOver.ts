import { closeSync, openSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isRoot } from "./Account.ts"
import { type DirectoryUnusable, useDirectory } from "./Errors.ts"
import type { Directory } from "./Directory.ts"

/** Files for a child: their names as the child sees them, and what to append to its `stdio`. */
export interface HandedOver {
  readonly names: ReadonlyArray<string>
  readonly descriptors: ReadonlyArray<number>
}

/** The first descriptor behind stdin, stdout and stderr. */
const FIRST = 3

/**
 * Lets a child of another user use files to which it may not be able to walk, such as below root's home: it gets them
 * open, and Linux names a process's open files. Elsewhere, and for this process's own user, a path is good enough.
 */
export const handOver = (
  directory: Directory,
  paths: ReadonlyArray<string>
): Effect.Effect<HandedOver, DirectoryUnusable, Scope.Scope> => {
  if (process.platform !== "linux" || !isRoot()) return Effect.succeed({ names: paths, descriptors: [] })
  const open = (path: string) =>
    Effect.acquireRelease(
      useDirectory(directory.path, () => openSync(path, "r")),
      (descriptor) => Effect.sync(() => closeSync(descriptor))
    )
  return Effect.map(Effect.forEach(paths, open), (descriptors) => ({
    names: descriptors.map((_, index) => `/proc/self/fd/${FIRST + index}`),
    descriptors
  }))
}

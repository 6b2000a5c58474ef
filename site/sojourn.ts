/** The `sojourn` command line as people run it: the bundle where the gate built one, else the sources. */
import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sojourn } from "../packages/server/test/faults/SojournProcess.ts"
import { at } from "./pages/repository.ts"

const { SOJOURN_BUNDLE } = process.env

/** The arguments of Node that run it. */
export const program: ReadonlyArray<string> =
  SOJOURN_BUNDLE === undefined ? ["--conditions=source", at("packages/server/src/main.ts")] : [SOJOURN_BUNDLE]

export interface Running extends AsyncDisposable {
  readonly url: string
  /** Its data directory, with the key that signs its tokens. */
  readonly data: string
}

/** A real server on a free port, with the demo's data in memory. */
export const startSojourn = async (flags: ReadonlyArray<string> = []): Promise<Running> => {
  const folder = mkdtempDisposableSync(join(tmpdir(), "sojourn-docs-"))
  const data = folder.path
  const demo = ["--demo", "--demo-crowd", "0", "--storage", "memory"]
  const server = sojourn("serve", ...demo, "--port", "0", "--data", data, ...flags)
  return {
    url: await server.listening,
    data,
    [Symbol.asyncDispose]: async () => {
      await server.end()
      folder.remove()
    }
  }
}

import { spawnSync } from "node:child_process"
import { at } from "../../site/pages/repository.ts"

/** A text as the workspace's formatter writes a module of `@sojourn/client`. */
export const format = (text: string): string => {
  const args = [at("node_modules/oxfmt/bin/oxfmt"), "--stdin-filepath", "packages/client/src/generated.ts"]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: at("."), input: text, encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

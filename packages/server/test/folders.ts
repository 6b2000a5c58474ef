/** Folders of test files. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A new folder, which is removed after the tests of a file. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "sojourn-test-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Writes files in a folder, texts as they are and other content as JSON, and returns their paths. */
export const writerIn =
  (folder: string) =>
  (name: string, content: unknown): string => {
    const file = join(folder, name)
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
    return file
  }

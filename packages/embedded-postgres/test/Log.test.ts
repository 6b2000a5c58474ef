/** The reason of a failure in PostgreSQL's log. */
import { assert, describe, it } from "vitest"
import { fullDiskIn, reasonIn } from "../src/Log.ts"

const AT = "2026-11-25 16:02:19.956 UTC [21543]"

describe("the reason in a log", () => {
  it.each([
    [
      `${AT} LOG:  starting\n${AT} FATAL:  lock file is empty\n${AT} LOG:  database system is shut down\n`,
      "lock file is empty"
    ],
    ["fixing permissions ... ok\ninitdb: error: could not access directory\n", "could not access directory"],
    ["nothing of use\n", "otherwise"]
  ])("is the last line that states an error: %j", (log, reason) => {
    assert.strictEqual(reasonIn(log, "otherwise"), reason)
    assert.strictEqual(fullDiskIn(log, "otherwise"), "otherwise")
  })

  it.each([
    [
      `${AT} PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device\n`,
      'could not write to file "pg_wal/xlogtemp.1"'
    ],
    [
      `running bootstrap script ... ${AT} FATAL:  could not extend file "base/1/2": wrote only 4096 of 8192 bytes at block 8\n${AT} HINT:  Check free disk space.\n${AT} PANIC:  cannot abort transaction 1\n`,
      'could not extend file "base/1/2"'
    ]
  ])("is a full disk, also before errors that follow from it: %j", (log, reason) => {
    for (const read of [reasonIn, fullDiskIn])
      assert.strictEqual(read(log, "otherwise"), `no space left on the disk: ${reason}`)
  })
})

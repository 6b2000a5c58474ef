/** The line writer with readers that keep up and readers that stall: real pipes and controlled writes. */
import { Effect, Exit, Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { temporaryFolder } from "./folders.ts"
import * as LineWriter from "../src/telemetry/LineWriter.ts"

const folder = temporaryFolder()

const open = async (fd: number, writeBytes?: LineWriter.WriteBytes) => {
  const scope = await Effect.runPromise(Scope.make())
  const { write } = await Effect.runPromise(Scope.provide(LineWriter.make(fd, undefined, writeBytes), scope))
  return { write, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** A reader that completes a write only when the test calls `take`, and counts the writes. */
const reader = () => {
  let taken = ""
  let writes = 0
  let waiting: (() => void) | undefined
  const writeBytes: LineWriter.WriteBytes = (_fd, bytes, done) => {
    expect(waiting, "one write after the other").toBeUndefined()
    writes++
    waiting = () => {
      waiting = undefined
      taken += bytes.toString()
      done(null, bytes.length)
    }
  }
  return {
    writeBytes,
    take: () => waiting?.(),
    isAsked: () => waiting !== undefined,
    taken: () => taken,
    writes: () => writes
  }
}

describe("LineWriter", () => {
  it("writes the lines in order, many in one write, and all of them before it closes", async () => {
    const file = join(folder, "lines")
    const fd = openSync(file, "w")
    const { write, close } = await open(fd)
    for (let i = 0; i < 10_000; i++) write(`line ${i}`)
    await close()
    closeSync(fd)
    const lines = readFileSync(file, "utf8").split("\n")
    expect(lines.pop()).toBe("")
    expect(lines).toEqual(Array.from({ length: 10_000 }, (_, i) => `line ${i}`))
  })

  it("starts a write only after the previous one has completed", async () => {
    const { writeBytes, take, isAsked, taken, writes } = reader()
    const { write, close } = await open(1, writeBytes)
    write("one")
    await expect.poll(isAsked).toBe(true)
    write("two")
    write("three")
    take()
    await expect.poll(isAsked).toBe(true)
    take()
    await close()
    expect(taken()).toBe("one\ntwo\nthree\n")
    expect(writes()).toBe(2)
  })

  it("drops lines that exceed the buffer, and writes the number of dropped lines", async () => {
    const { writeBytes, take, isAsked, taken } = reader()
    const { write, close } = await open(1, writeBytes)
    write("first")
    await expect.poll(isAsked).toBe(true)
    const line = "x".repeat(1024)
    for (let i = 0; i < 1024 + 7; i++) write(line)
    take()
    await expect.poll(isAsked).toBe(true)
    take()
    write("after")
    await expect.poll(isAsked).toBe(true)
    take()
    await close()
    const lines = taken().trimEnd().split("\n")
    expect(lines).toHaveLength(1 + 1024 + 1 + 1)
    expect(lines.at(-2)).toBe('{"dropped":7}')
    expect(lines.at(-1)).toBe("after")
  })

  it("continues after a partial write and after EAGAIN", async () => {
    let taken = ""
    let calls = 0
    const { write, close } = await open(1, (_fd, bytes, done) => {
      calls++
      if (calls === 2) {
        setImmediate(done, Object.assign(new Error("full"), { code: "EAGAIN" }), 0)
        return
      }
      const part = calls < 3 ? bytes.subarray(0, 3) : bytes
      taken += part.toString()
      setImmediate(done, null, part.length)
    })
    write("one line")
    write("another line")
    await close()
    expect(taken).toBe("one line\nanother line\n")
    expect(calls).toBe(3)
  })

  it("closes without waiting for a reader that has stalled", async () => {
    const { writeBytes } = reader()
    const { write, close } = await open(1, writeBytes)
    write("an unread line")
    await close()
  })

  it("lets a process exit whose standard error pipe is not read", async () => {
    const program = `
      import * as Effect from "effect/Effect"
      import * as LineWriter from "./src/telemetry/LineWriter.ts"
      const writing = Effect.gen(function* () {
        const { write } = yield* LineWriter.make(process.stderr.fd)
        for (let i = 0; i < 1000; i++) write("x".repeat(1000))
        yield* Effect.sleep(500)
      })
      await Effect.runPromise(Effect.scoped(writing))
      process.exit(7)`
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      stdio: ["ignore", "inherit", "pipe"]
    })
    const [code] = await once(child, "exit")
    child.stderr.destroy()
    expect(code).toBe(7)
  })
})

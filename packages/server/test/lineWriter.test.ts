/** Lines on their way to somebody who reads them, or has stopped to: real pipes, and writes that go as a test says. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import * as LineWriter from "../src/telemetry/LineWriter.ts"

const folder = mkdtempSync(join(tmpdir(), "sojourn-lines-"))
afterAll(() => rmSync(folder, { recursive: true }))

const open = async (fd: number, writeBytes?: LineWriter.WriteBytes) => {
  const scope = await Effect.runPromise(Scope.make())
  const { write } = await Effect.runPromise(Scope.provide(LineWriter.make(fd, undefined, writeBytes), scope))
  return { write, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** Takes what is written when it is told to, and says how many writes there were at one time. */
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

describe("lines on their way", () => {
  it("arrive in their order, many with one write, and all of them before the end", async () => {
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

  it("wait for the write before them", async () => {
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

  it("that find no room are dropped and counted, and their number is written", async () => {
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

  it("are written on where a write took a part of them, or none for now", async () => {
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

  it("do not keep the end waiting for somebody who has stopped reading", async () => {
    const { writeBytes } = reader()
    const { write, close } = await open(1, writeBytes)
    write("nobody reads this")
    await close()
  })

  it("do not keep a process from its end, whose pipe nobody reads", async () => {
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

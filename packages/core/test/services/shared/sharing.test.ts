/** Sharing: concurrent callers of one key share runs, each with its own answer, and others do not wait for them. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Result, Semaphore } from "effect"
import { LARGEST_RUN, makeShared } from "../../../src/services/shared/sharing.ts"

/** A shared operation whose runs are recorded; each waits until it is released. Odd items are refused. */
const make = Effect.fnUntraced(function* (permits = 4) {
  const runs: Array<{
    readonly key: string
    readonly items: ReadonlyArray<number>
    readonly gate: Deferred.Deferred<void>
  }> = []
  const operation = yield* makeShared(
    yield* Semaphore.make(permits),
    Effect.fnUntraced(function* (key: string, items: ReadonlyArray<number>) {
      const gate = yield* Deferred.make<void, never>()
      runs.push({ key, items, gate })
      yield* Deferred.await(gate)
      return items.map((item) => (item % 2 === 0 ? Result.succeed(`${key}${item}`) : Result.fail(item)))
    })
  )
  const settle = Effect.gen(function* () {
    for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
  })
  const started = (key: string, ...items: ReadonlyArray<number>) =>
    Effect.tap(Effect.all(items.map((item) => Effect.forkChild(operation(key, item)))), () => settle)
  const release = (nth: number) => Effect.andThen(Deferred.succeed(runs[nth]!.gate, undefined), settle)
  const seen = () => runs.map(({ key, items }) => [key, ...items])
  return { started, release, seen, settle }
})

describe("a shared operation", () => {
  it.effect("runs once for the callers of a turn; those who come later share the next run", () =>
    Effect.gen(function* () {
      const { release, seen, started } = yield* make()
      const first = yield* started("a", 0, 1, 2)
      const second = yield* started("a", 4, 5)
      const other = yield* started("b", 6)
      assert.deepStrictEqual(seen(), [
        ["a", 0, 1, 2],
        ["b", 6]
      ])
      yield* release(0)
      assert.deepStrictEqual(seen(), [
        ["a", 0, 1, 2],
        ["b", 6],
        ["a", 4, 5]
      ])
      yield* release(1)
      yield* release(2)
      const exits = yield* Effect.all([...first, ...second, ...other].map(Fiber.await))
      assert.deepStrictEqual(exits, [
        Exit.succeed("a0"),
        Exit.fail(1),
        Exit.succeed("a2"),
        Exit.succeed("a4"),
        Exit.fail(5),
        Exit.succeed("b6")
      ])
      const last = yield* started("a", 8)
      yield* release(3)
      assert.strictEqual(yield* Fiber.join(last[0]!), "a8")
    }).pipe(Effect.scoped)
  )

  it.effect("bounds the items of a run, and the runs in flight", () =>
    Effect.gen(function* () {
      const { release, seen, started } = yield* make(1)
      const many = Array.from({ length: LARGEST_RUN + 1 }, (_, n) => 2 * n)
      yield* started("a", ...many)
      yield* started("b", 0)
      assert.deepStrictEqual(seen(), [["a", ...many.slice(0, LARGEST_RUN)]])
      yield* release(0)
      yield* release(1)
      yield* release(2)
      assert.deepStrictEqual(seen().slice(1).toSorted(), [
        ["a", ...many.slice(LARGEST_RUN)],
        ["b", 0]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("goes on where a caller is interrupted, and drops what still waits of them", () =>
    Effect.gen(function* () {
      const { release, seen, started } = yield* make()
      const [gone, stays] = yield* started("a", 0, 2)
      const [dropped] = yield* started("a", 4)
      yield* Fiber.interrupt(gone!)
      yield* Fiber.interrupt(dropped!)
      yield* release(0)
      assert.strictEqual(yield* Fiber.join(stays!), "a2")
      assert.deepStrictEqual(seen(), [["a", 0, 2]])
    }).pipe(Effect.scoped)
  )

  it.effect("ends with its scope: whoever waits is interrupted", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.scoped(
        Effect.gen(function* () {
          const { started } = yield* make()
          return [...(yield* started("a", 0)), ...(yield* started("a", 2))]
        }).pipe(Effect.flatMap((fibers) => Effect.succeed(fibers)))
      )
      for (const exit of yield* Effect.all(waiting.map(Fiber.await))) assert.isTrue(Exit.hasInterrupts(exit))
    })
  )
})

/**
 * Calls from a worker to the primary process, over the channel that Node opens between them. The calls of one turn of
 * the event loop share a message, and so do the answers: a message costs as much as three calls in it.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"

/** What JSON can say. */
type Plain = unknown

/** A failure as plain data: the tag of its class, and its fields. A defect has the tag `Defect`. */
export interface PlainFailure {
  readonly tag: string
  readonly fields: Readonly<Record<string, Plain>>
}

/** The calls of a message: the number of each, its method and its input. */
export type SentCalls = ReadonlyArray<readonly [id: number, method: string, input: Plain]>

/** The answers of a message: the number of each call, and its value or its failure. */
export type SentAnswers = ReadonlyArray<
  readonly [id: number, isSuccess: true, value: Plain] | readonly [id: number, isSuccess: false, failure: PlainFailure]
>

/** How long a call may take, in milliseconds: longer than any deadline of the stores, which the primary process keeps. */
const TIMEOUT_MS = 20_000

/** The interval of checks for calls that are not answered in time, in milliseconds. */
const CHECK_MS = 1_000

/** Collects items, and sends those of one turn of the event loop together. */
const together = <Item>(send: (items: ReadonlyArray<Item>) => void) => {
  let items: Array<Item> = []
  const flush = () => {
    const sent = items
    items = []
    send(sent)
  }
  return (item: Item) => {
    if (items.push(item) === 1) setImmediate(flush)
  }
}

interface PendingCall {
  readonly method: string
  readonly askedAt: number
  readonly resume: (exit: Exit.Exit<Plain, PlainFailure>) => void
}

/** The worker's side of the channel. */
export interface Caller {
  /** Calls a method of the primary process. It fails as the method does, or with a `StoreError` when no answer comes in time. */
  readonly call: (method: string, input: Plain) => Effect.Effect<Plain, PlainFailure>
  /** Takes the answers of a message. */
  readonly receive: (answers: SentAnswers) => void
}

/** Makes the side of the channel that calls; `send` sends a message. */
export const makeCaller = (send: (calls: SentCalls) => void): Caller => {
  const pending = new Map<number, PendingCall>()
  const submit = together(send)
  let lastId = 0

  // Calls are pending in the order of their age.
  const checking = setInterval(() => {
    const before = performance.now() - TIMEOUT_MS
    for (const [id, { method, askedAt, resume }] of pending) {
      if (askedAt > before) return
      pending.delete(id)
      const fields = { operation: method, cause: "the primary process did not answer in time" }
      resume(Exit.fail({ tag: "StoreError", fields }))
    }
  }, CHECK_MS)
  checking.unref()

  return {
    call: (method, input) =>
      Effect.callback<Plain, PlainFailure>((resume) => {
        const id = ++lastId
        pending.set(id, { method, askedAt: performance.now(), resume })
        submit([id, method, input])
        return Effect.sync(() => pending.delete(id))
      }),
    receive: (answers) => {
      for (const [id, isSuccess, value] of answers) {
        const call = pending.get(id)
        pending.delete(id)
        call?.resume(isSuccess ? Exit.succeed(value) : Exit.fail(value as PlainFailure))
      }
    }
  }
}

/** What the primary process does for its workers, by method. Inputs and answers are plain data. */
export type Methods = Readonly<Record<string, (input: never) => Effect.Effect<Plain, PlainFailure>>>

/** A failure with a tag, as plain data. A cause becomes text, as it may be anything; the caller knows the premises. */
export const encodeFailure = (failure: {
  readonly _tag: string
  readonly cause?: unknown
  readonly premises?: unknown
}): PlainFailure => {
  const { _tag: tag, cause, premises: _, ...fields } = failure
  return { tag, fields: failure.cause === undefined ? fields : { ...fields, cause: String(cause) } }
}

/**
 * Makes the function that fails with what a failure was before it was encoded. `classes` are those of all failures, `known` are fields
 * that are not sent.
 */
export const decodeFailure =
  <Classes extends Readonly<Record<string, new (fields: never) => unknown>>>(classes: Classes, known: object = {}) =>
  ({ tag, fields }: PlainFailure): Effect.Effect<never, InstanceType<Classes[keyof Classes]>> => {
    const Class = classes[tag]
    return Class === undefined
      ? Effect.die(new Error(`${tag}: ${String(fields["message"])}`))
      : Effect.fail(new Class({ ...known, ...fields } as never) as InstanceType<Classes[keyof Classes]>)
  }

const failureOf = (cause: Cause.Cause<PlainFailure>): PlainFailure =>
  Option.getOrElse(Cause.findErrorOption(cause), () => ({ tag: "Defect", fields: { message: Cause.pretty(cause) } }))

/** Makes the function that answers the calls of a worker; `send` sends a message to it. */
export const makeAnswerer = (
  methods: Methods,
  runFork: (effect: Effect.Effect<Plain, PlainFailure>) => Fiber.Fiber<Plain, PlainFailure>,
  send: (answers: SentAnswers) => void
): ((calls: SentCalls) => void) => {
  const submit = together<SentAnswers[number]>(send)
  return (calls) => {
    for (const [id, method, input] of calls) {
      runFork(methods[method]!(input as never)).addObserver((exit) =>
        submit(Exit.isSuccess(exit) ? [id, true, exit.value] : [id, false, failureOf(exit.cause)])
      )
    }
  }
}

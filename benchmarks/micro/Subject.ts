import { Option, Result } from "effect"

/** A rule on some input, to be asked over and over. */
export interface Subject {
  readonly name: string
  /** Asks it once. */
  readonly once: () => unknown
  /** Whether it answered what it must on this input: what refuses early costs nothing and says nothing. */
  readonly isRight: (answer: unknown) => boolean
}

/** A rule that answers a `Result`, which must be a success. */
export const allows = <A, E>(name: string, once: () => Result.Result<A, E>): Subject => ({
  name,
  once,
  isRight: (answer) => Result.isResult(answer) && Result.isSuccess(answer)
})

/** A rule that answers a `Result`, which must be this refusal. */
export const refuses = <A, E extends { readonly _tag: string }>(
  name: string,
  tag: E["_tag"],
  once: () => Result.Result<A, E>
): Subject => ({
  name,
  once,
  isRight: (answer) =>
    Result.isResult(answer) && Result.isFailure(answer) && (answer.failure as { readonly _tag: string })._tag === tag
})

/** A function that answers an `Option`, which must hold something. */
export const finds = <A>(name: string, once: () => Option.Option<A>): Subject => ({
  name,
  once,
  isRight: (answer) => Option.isOption(answer) && Option.isSome(answer)
})

/** A function that answers an `Option`, which must hold nothing. */
export const findsNothing = <A>(name: string, once: () => Option.Option<A>): Subject => ({
  name,
  once,
  isRight: (answer) => Option.isOption(answer) && Option.isNone(answer)
})

/** A function that answers this text. */
export const writes = (name: string, text: string, once: () => unknown): Subject => ({
  name,
  once,
  isRight: (answer) => (typeof answer === "string" ? answer : JSON.stringify(answer)) === text
})

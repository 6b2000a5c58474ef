/** What every component is given by context: the language's words and formats, and requests with the session's token. */
import { createContext } from "preact"
import { useContext, useEffect, useRef, useState } from "preact/hooks"
import { RequestFailed, send, sendForJson } from "./http.ts"
import type { Language, Words } from "./words.ts"

/** Requests with the token of the session. */
export interface Api {
  readonly get: <Json>(path: string) => Promise<Json | undefined>
  readonly send: <Json>(method: string, path: string, json?: unknown) => Promise<Json | undefined>
  readonly sendForm: <Json>(
    method: string,
    path: string,
    form: Readonly<Record<string, string>>
  ) => Promise<Json | undefined>
  readonly csv: (path: string) => Promise<string>
}

/** Makes requests with a token; `onExpired` is called when it is not accepted any more. */
export const makeApi = (token: string, onExpired: () => void): Api => {
  const watch = async <A>(answer: Promise<A>): Promise<A> => {
    try {
      return await answer
    } catch (error) {
      if (error instanceof RequestFailed && error.status === 401) onExpired()
      throw error
    }
  }
  return {
    get: (path) => watch(sendForJson(path, { token })),
    send: (method, path, json) => watch(sendForJson(path, { token, method, json })),
    sendForm: (method, path, form) => watch(sendForJson(path, { token, method, form })),
    csv: (path) => watch(send(path, { token, accept: "text/csv" }).then((response) => response.text()))
  }
}

/** How this language writes numbers and times. */
export interface Formats {
  readonly number: (n: number) => string
  readonly time: (of: Date | string | number) => string
  readonly day: (of: Date | string | number) => string
  readonly moment: (of: Date | string | number) => string
}

/** The form of a language that the browser is set to: dates of British English are not those of American English. */
export const localeOf = (language: Language, wanted: ReadonlyArray<string>): string =>
  wanted.find((tag) => tag.split("-")[0] === language) ?? language

export const formatsOf = (language: Language): Formats => {
  const locale = localeOf(language, navigator.languages)
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const times = new Intl.DateTimeFormat(locale, { timeStyle: "short" })
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" })
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" })
  return {
    number: (n) => numbers.format(n),
    time: (of) => times.format(new Date(of)),
    day: (of) => days.format(new Date(of)),
    moment: (of) => moments.format(new Date(of))
  }
}

/** What every part of the page uses. */
export interface Shared {
  readonly words: Words
  readonly formats: Formats
  readonly api: Api
}

export const SharedContext = createContext<Shared>(undefined as never)

export const useShared = (): Shared => useContext(SharedContext)

/** Something that is read from the server: the last answer stays while it is read again. */
export interface Loaded<A> {
  readonly value: A | undefined
  readonly failure: unknown
  readonly reload: () => void
}

/** How long to wait before something is read again that the server could not answer now, in milliseconds. */
export const AGAIN = 5_000

/** Whether something may succeed later. */
export const isPassing = (failure: unknown): boolean =>
  failure instanceof RequestFailed && (failure.status === 0 || failure.status === 429 || failure.status >= 500)

/**
 * Reads something when the component begins, again whenever one of `keys` changes, and for as long as the server is away or
 * overloaded.
 */
export const useLoaded = <A>(load: () => Promise<A>, keys: ReadonlyArray<unknown>): Loaded<A> => {
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<Pick<Loaded<A>, "value" | "failure">>({ value: undefined, failure: undefined })
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    load().then(
      (value) => isCurrent && setState({ value, failure: undefined }),
      (failure: unknown) => {
        if (!isCurrent) return
        setState(({ value }) => ({ value, failure }))
        if (isPassing(failure)) timer = setTimeout(() => setTurn((turn) => turn + 1), AGAIN)
      }
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [turn, ...keys])
  return { ...state, reload: () => setTurn((turn) => turn + 1) }
}

/** How often lists of people are read again at most while people come and go, in milliseconds. */
export const LIST_EVERY = 2_000

/** A value that changes at most once in so many milliseconds. */
export const useSeldom = <A>(value: A, milliseconds: number): A => {
  const [shown, setShown] = useState(value)
  const changedAt = useRef(0)
  useEffect(() => {
    if (value === shown) return
    const change = () => {
      changedAt.current = Date.now()
      setShown(value)
    }
    const timer = setTimeout(change, Math.max(changedAt.current + milliseconds - Date.now(), 0))
    return () => clearTimeout(timer)
  }, [value, shown])
  return shown
}

/** What happened, as a sentence. */
export const sentenceOf = (words: Words, failure: unknown): string => {
  if (!(failure instanceof RequestFailed) || failure.status === 0) return words.notReached
  const { detail } = failure.said
  return detail === undefined ? words.refused(failure.status) : `${words.refused(failure.status)} ${detail}`
}

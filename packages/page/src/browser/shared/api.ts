/** Requests of the page with the session's token, and what their failures mean. */
import { RequestFailed, send, sendForJson } from "./http.ts"
import type { Words } from "../words/languages.ts"

export interface Api {
  readonly get: <Json>(path: string) => Promise<Json | undefined>
  /** The members of a list, of which an empty one is answered without a body. */
  readonly list: <Json>(path: string) => Promise<ReadonlyArray<Json>>
  readonly send: <Json>(method: string, path: string, json?: unknown) => Promise<Json | undefined>
  readonly sendForm: <Json>(
    method: string,
    path: string,
    form: Readonly<Record<string, string>>
  ) => Promise<Json | undefined>
  readonly csv: (path: string) => Promise<string>
  readonly image: (path: string) => Promise<Blob>
  readonly sendImage: <Json>(path: string, image: Blob) => Promise<Json | undefined>
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
  const get = <Json>(path: string) => watch(sendForJson<Json>(path, { token }))
  return {
    get,
    list: async <Json>(path: string) => (await get<ReadonlyArray<Json>>(path)) ?? [],
    send: (method, path, json) => watch(sendForJson(path, { token, method, json })),
    sendForm: (method, path, form) => watch(sendForJson(path, { token, method, form })),
    csv: (path) => watch(send(path, { token, accept: "text/csv" }).then((response) => response.text())),
    image: (path) => watch(send(path, { token, accept: "image/*" }).then((response) => response.blob())),
    sendImage: (path, blob) => watch(sendForJson(path, { token, method: "PUT", blob }))
  }
}

/** Whether something may succeed later. */
export const isTemporary = (failure: unknown): boolean =>
  failure instanceof RequestFailed && (failure.status === 0 || failure.status === 429 || failure.status >= 500)

export const sentenceOf = (words: Words, failure: unknown): string => {
  if (!(failure instanceof RequestFailed) || failure.status === 0) return words.notReached
  const { type = "", detail = "" } = failure.problem
  return `${words.refused(failure.status)} ${words.problem(type, detail)}`.trim()
}

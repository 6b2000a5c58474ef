/** The session of the signed-in administrator: its token, and where the browser keeps it. */
import { makeClient, type SojournClient } from "@sojourn/client"
import { learnTime } from "./clock.ts"
import { type BoardRoute, readRoute } from "./route.ts"
import { settings } from "./settings.ts"

/** A signed-in administrator. Who it is, the server alone reads out of the token. */
export interface Session {
  readonly token: string
}

/** How long a request may take, in milliseconds. */
const TIMEOUT_MS = 20_000

/** How long an import may take, in milliseconds. */
export const IMPORT_TIMEOUT_MS = 300_000

const STORAGE_KEY = "sojourn.token"

/** How tokens of devices begin. */
const DISPLAY_PREFIX = "sjd_"

/** Whether the tab's storage holds the session of a link. */
export const keepsLinks = settings.keepLinks === true

/** The claims of a token, unverified; undefined where the text is no token. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> | undefined => {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1]
  if (payload === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.codePointAt(0)!)
    return JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}

/** The session of a token; undefined where the text is no token. The server alone decides whether it is valid. */
export const sessionOf = (text: string): Session | undefined => {
  const token = text.trim().replace(/^Bearer\s+/i, "")
  return claimsOf(token) === undefined ? undefined : { token }
}

/** Replaces what the address bar and the history hold behind the page's path. */
export const replaceAddress = (search: string, fragment: string): void =>
  history.replaceState(null, "", location.pathname + search + fragment)

/** Takes the token of a link out of the address bar and the history, if one is there. Other parts of the fragment stay. */
export const takeLink = (): string | undefined => {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const token = fragment.get("token")
  if (token === null) return undefined
  fragment.delete("token")
  const rest = fragment.toString()
  replaceAddress(location.search, rest === "" ? "" : `#${rest}`)
  return token
}

/** Where the browser keeps the token of the display that shows a board. */
const displayKeyOf = ({ organizationId, placeId }: BoardRoute): string =>
  `sojourn.display.${organizationId}${placeId === undefined ? "" : `.${placeId}`}`

/** The token of the display that shows a board in this browser. */
export const savedDisplay = (board: BoardRoute): string | undefined =>
  localStorage.getItem(displayKeyOf(board)) ?? undefined

export const forgetDisplay = (board: BoardRoute): void => localStorage.removeItem(displayKeyOf(board))

/** What following a link leads to. */
export interface Followed {
  readonly session?: Session | undefined
  /** The link is that of a display, which is no session. */
  readonly display?: string | undefined
  /** A token that replaces the session if its administrator agrees. */
  readonly offered?: Session | undefined
  /** The link has something that is no token. */
  readonly isWrong?: boolean
}

/** Follows a link with this text as its token: it begins a session where there is none, and replaces none without a question. */
export const followLink = (text: string | undefined, session: Session | undefined): Followed => {
  if (text === undefined) return { session }
  const { board } = readRoute()
  if (text.startsWith(DISPLAY_PREFIX) && board !== undefined) {
    localStorage.setItem(displayKeyOf(board), text)
    return { session, display: text }
  }
  const linked = sessionOf(text)
  if (session === undefined) {
    if (linked !== undefined && keepsLinks) saveSession(linked)
    return { session: linked, isWrong: linked === undefined }
  }
  return { session, offered: linked?.token === session.token ? undefined : linked }
}

export const savedSession = (): Session | undefined => sessionOf(sessionStorage.getItem(STORAGE_KEY) ?? "")

/** Keeps the token for this tab, also when it is loaded again. */
export const saveSession = ({ token }: Session): void => sessionStorage.setItem(STORAGE_KEY, token)

export const forgetSession = (): void => sessionStorage.removeItem(STORAGE_KEY)

/** The name of a file that the server answers to be saved (RFC 6266). */
const fileNameOf = (disposition: string | null): string | undefined => {
  const extended = /; *filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1]
  return extended === undefined ? undefined : decodeURIComponent(extended)
}

/**
 * A client of the server that the page came from; `onRefused` is called when the token is not accepted, and says whether it was before. A
 * file is not answered but saved, whatever its size: the browser may keep it outside of its memory.
 */
export const clientOf = (token?: string, onRefused?: (wasAccepted: boolean) => void): SojournClient => {
  let wasAccepted = false
  return makeClient({
    baseUrl: "",
    token,
    timeout: TIMEOUT_MS,
    fetch: async (url, init) => {
      const sentAt = Date.now()
      const response = await fetch(url, { ...init, cache: "no-store" })
      learnTime(response, sentAt)
      if (response.status === 401) onRefused?.(wasAccepted)
      else wasAccepted ||= response.ok
      const name = fileNameOf(response.headers.get("content-disposition"))
      if (name === undefined) return response
      const [content, { downloadBlob }] = await Promise.all([response.blob(), import("./csv.ts")])
      downloadBlob(name, content)
      return new Response(null, { status: 204 })
    }
  })
}

export const signIn = async (username: string, password: string): Promise<Session | undefined> => {
  const body = { grant_type: "password", username, password } as const
  return sessionOf((await clientOf().authentication.token({ body })).access_token)
}

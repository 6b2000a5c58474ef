/** A server process, the OpenID provider of its callers' tokens, and functions that call the server. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { GROUNDS, square, unique, want } from "../fixtures.ts"
import { makeClient } from "./Client.ts"
import { described, type Kind, startProvider } from "./OpenIdProvider.ts"
import { program } from "../faults/SojournProcess.ts"

/** A caller with a token. */
export interface Bearer {
  readonly id: string
  readonly mail: string
  readonly token: string
}

/** The options of a server. */
interface TownOptions {
  /** The flags for its storage; in memory by default. */
  readonly storage?: "memory" | "embedded"
  /** Additional flags. */
  readonly flags?: ReadonlyArray<string>
  /** The directories that it may connect to. */
  readonly directories?: ReadonlyArray<string>
  /** Issuers in addition to the provider. */
  readonly issuers?: ReadonlyArray<object>
  /** The configuration of single directories, and the files that it names. */
  readonly servers?: ReadonlyArray<object>
  readonly files?: Readonly<Record<string, string>>
}

/** Starts the provider, and a server. */
export const startTown = async ({
  storage = "memory",
  flags = [],
  directories = [],
  issuers = [],
  servers = [],
  files = {}
}: TownOptions) => {
  const provider = await startProvider()
  const data = mkdtempSync(join(tmpdir(), "sojourn-identity-"))
  const write = (name: string, text: string) => {
    writeFileSync(join(data, name), text)
    return join(data, name)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const keeping = ["--storage", storage, "--data", data]
  const trusted = ["--issuers", write("issuers.json", JSON.stringify([described(provider.issuer), ...issuers]))]
  const configured = ["--directories", write("directories.json", JSON.stringify({ servers }))]
  const allowed = directories.flatMap((directory) => ["--directory-allow", directory])
  const server = program("serve", "--port", "0", ...keeping, ...trusted, ...configured, ...allowed, ...flags)
  const clear = async () => {
    await provider.stop()
    rmSync(data, { recursive: true, force: true })
  }
  const baseUrl = await server.listening.catch(async (error) => {
    await clear()
    throw error
  })
  const { send, close } = makeClient(baseUrl)
  const stop = async () => {
    close()
    const ended = await server.end()
    await clear()
    expect(ended.code, `${ended.out}${ended.err}`).toBe(0)
  }
  const call = (who: Bearer, method: string, path: string, json?: unknown, headers: Record<string, string> = {}) => {
    const typed = { "content-type": "application/json", ...headers }
    return send(
      who.token,
      method,
      path,
      json === undefined ? { headers } : { headers: typed, body: JSON.stringify(json) }
    )
  }
  const bearer = async (kind: Kind, id: string, mail = `${id}@example.test`): Promise<Bearer> => ({
    id,
    mail,
    token: await provider.token(kind, id, kind === "administrator" ? mail : undefined)
  })
  const operator = await bearer("operator", "the-operator")
  const owner = await bearer("administrator", "the-owner")

  return {
    data,
    baseUrl,
    provider,
    server,
    operator,
    owner,
    send,
    call,
    bearer,
    /** A new user. */
    user: (id = unique("user")) => bearer("user", id),
    /** Creates an organization; an authenticated one with a directory. */
    organization: async (authenticationServerURL?: string): Promise<number> => {
      const known = authenticationServerURL !== undefined
      const draft = {
        name: unique("organization"),
        trackingArea: GROUNDS,
        trackingMode: known ? "authenticated" : "anonymous",
        ...(known && { authenticationServerURL }),
        owner: { administratorId: owner.id, mail: owner.mail }
      }
      return want(await call(operator, "POST", "/operator/organization", draft), 201).json.id
    },
    place: async (organizationId: number, i = 0): Promise<number> =>
      want(await call(owner, "POST", "/place", { organizationId, trackingArea: square(i) }), 201).json.id,
    link: (who: Bearer, organizationId: number, username: string, password: string) =>
      call(who, "POST", "/authenticationserver/link", { organizationId, username, password }),
    enter: (who: Bearer, kind: "organization" | "place", id: number, over: object = {}, headers = {}) =>
      call(who, "POST", `/movement/track/${kind}`, { [`${kind}Id`]: id, movementType: 1, ...over }, headers),
    leave: (who: Bearer, kind: "organization" | "place", id: number, exitToken: string, over: object = {}) =>
      call(who, "POST", `/movement/track/${kind}`, { [`${kind}Id`]: id, movementType: -1, exitToken, ...over }),
    inside: async (kind: "organization" | "place", id: number): Promise<number> =>
      want(await call(owner, "GET", `/presence/${kind}/${id}/counter`), 200).json.counter,
    stop
  }
}

export type Town = Awaited<ReturnType<typeof startTown>>

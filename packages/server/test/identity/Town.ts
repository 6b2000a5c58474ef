/** A server process, the OpenID provider of its callers' tokens, and functions that call the server. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { type Bearer, makeCall } from "../callers.ts"
import { writerIn } from "../folders.ts"
import { makeFixtures, unique } from "../fixtures.ts"
import { makeAgent } from "../httpClient.ts"
import { described, type Kind, startProvider } from "./OpenIdProvider.ts"
import { program } from "../faults/SojournProcess.ts"

export type { Bearer }

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
  const write = writerIn(data)
  for (const [name, text] of Object.entries(files)) write(name, text)
  const keeping = ["--storage", storage, "--data", data]
  const trusted = ["--issuers", write("issuers.json", [described(provider.issuer), ...issuers])]
  const configured = ["--directories", write("directories.json", { servers })]
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
  const agent = makeAgent(64)
  const bearer = (kind: Kind, id: string, mail = `${id}@example.test`): Bearer => ({
    id,
    mail,
    token: provider.token(kind, id, kind === "administrator" ? mail : undefined)
  })
  const fixtures = makeFixtures({
    call: makeCall(baseUrl, agent),
    user: (id) => bearer("user", id),
    administrator: (id, mail) => bearer("administrator", id, mail),
    operator: (id = "the-operator") => bearer("operator", id)
  })

  return {
    ...fixtures,
    data,
    baseUrl,
    provider,
    server,
    bearer,
    /** A new user. */
    user: () => bearer("user", unique("user")),
    /** Creates an organization; an authenticated one with a directory. */
    organization: async (authenticationServerURL?: string): Promise<number> => {
      const { authenticated, organization } = fixtures
      const made = authenticationServerURL === undefined ? organization() : authenticated({ authenticationServerURL })
      return (await made).id
    },
    place: async (organizationId: number): Promise<number> => (await fixtures.place(organizationId)).id,
    stop: async () => {
      agent.destroy()
      const ended = await server.end()
      await clear()
      expect(ended.code, `${ended.out}${ended.err}`).toBe(0)
    }
  }
}

export type Town = Awaited<ReturnType<typeof startTown>>

/** A real OpenID provider whose tokens name any caller, for servers that trust it. */
import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Provider } from "oidc-provider"
import {
  agree,
  AUDIENCE,
  browser,
  configured,
  machine,
  machineToken,
  RESOURCE,
  Storage
} from "../../../adapter-jwt/test/OpenIdProvider.ts"

export { AUDIENCE }

/** The role of each kind of caller, and the server's flags for it. */
const ROLES = { user: "visitor", administrator: "staff", operator: "provisioner" } as const
export type Kind = keyof typeof ROLES

/** The claims of a caller's tokens, in Keycloak's format. */
const claimsOf = (kind: Kind, mail: string | undefined, isVerified: boolean) => ({
  realm_access: { roles: ["offline_access", "uma_authorization", ROLES[kind]] },
  ...(mail === undefined ? {} : { email: mail, email_verified: isVerified })
})

/** The entry of an issuer in the file for `--issuers`. */
export const described = (issuer: string) => ({
  issuer,
  audience: AUDIENCE,
  type: "at+jwt",
  kind: { claim: "/realm_access/roles", values: ROLES },
  // A prefix is required beside the own issuer, which could issue the same ids.
  subjectPrefix: ""
})

/** The provider's storage, in which every client id is a registered client that may request tokens. */
class Clients extends Storage {
  override async find(id: string) {
    if (this.model !== "Client") return super.find(id)
    return { client_id: id, ...(id === PAGE ? browser("ES256", "http://127.0.0.1/") : machine("ES256")) }
  }
}

/** The client id of the administrators' page. */
export const PAGE = "the-page"

/** What the page is to the issuer, in the server's settings. */
export const pageOf = (issuer: string) => ({
  issuer,
  clientId: PAGE,
  label: "Town",
  scope: "openid api",
  parameters: { resource: RESOURCE }
})

/** Starts a real OpenID provider on this machine. It issues tokens for any identity without a check. */
export const startProvider = async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const claims = new Map<string, ReturnType<typeof claimsOf>>()
  let signingIn: string | undefined
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/interaction/") === true) void decide(request, response)
    else void answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    ...configured([{ alg: "ES256", key: privateKey, kid: "1" }], (id) => claims.get(id)),
    adapter: Clients,
    clientBasedCORS: () => true
  })
  /** The person signs in and consents to everything, or refuses. */
  const decide = (request: IncomingMessage, response: ServerResponse) =>
    signingIn === undefined
      ? provider.interactionFinished(request, response, { error: "access_denied" }, { mergeWithLastSubmission: false })
      : agree(provider, signingIn, request, response)
  const answer = provider.callback()

  return {
    issuer,
    /** Requests an access token for a caller. */
    token: async (kind: Kind, id: string, mail?: string, isVerified = true): Promise<string> => {
      claims.set(id, claimsOf(kind, mail, isVerified))
      return machineToken(issuer, id)
    },
    /** Who signs in from now on, in a browser; `undefined`: a person who refuses. */
    signInAs: (kind: Kind, id: string | undefined, mail?: string) => {
      signingIn = id
      if (id !== undefined) claims.set(id, claimsOf(kind, mail, true))
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startProvider>>

/** A real OpenID provider whose tokens name any caller, for servers that trust it. */
import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Provider } from "oidc-provider"

const RESOURCE = "urn:sojourn"
/** The audience of the tokens. */
export const AUDIENCE = "sojourn"

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

/** The provider's storage. */
class Storage {
  static readonly entries = new Map<string, Readonly<Record<string, unknown>>>()
  readonly model: string
  constructor(model: string) {
    this.model = model
  }
  upsert = async (id: string, payload: Readonly<Record<string, unknown>>) =>
    void Storage.entries.set(`${this.model}:${id}`, payload)
  find = async (id: string) =>
    this.model === "Client"
      ? { ...(id === PAGE ? BROWSER : MACHINE), client_id: id }
      : Storage.entries.get(`${this.model}:${id}`)
  findByUid = async (uid: string) => [...Storage.entries.values()].find((entry) => entry["uid"] === uid)
  destroy = async (id: string) => void Storage.entries.delete(`${this.model}:${id}`)
  consume = async (id: string) => void Object.assign(Storage.entries.get(`${this.model}:${id}`) ?? {}, { consumed: 1 })
  revokeByGrantId = async () => {}
}

/** Every client id is a registered client that may request tokens. */
const MACHINE = {
  client_secret: "secret",
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
  id_token_signed_response_alg: "ES256"
}

/** The client id of the administrators' page. */
export const PAGE = "the-page"

/** A client without a secret, on any port of this machine. */
const BROWSER = {
  application_type: "native",
  token_endpoint_auth_method: "none",
  redirect_uris: ["http://127.0.0.1/"],
  id_token_signed_response_alg: "ES256"
}

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
    adapter: Storage,
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", kid: "1", use: "sig" }] },
    cookies: { keys: ["cookies"] },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    ttl: Object.fromEntries(
      ["AccessToken", "AuthorizationCode", "ClientCredentials", "Grant", "IdToken", "Interaction", "Session"].map(
        (model) => [model, 600]
      )
    ),
    clientBasedCORS: () => true,
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    extraTokenClaims: (
      _: unknown,
      { clientId, accountId = clientId }: { readonly clientId: string; readonly accountId?: string }
    ) => claims.get(accountId),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        getResourceServerInfo: () => ({
          scope: "api",
          audience: AUDIENCE,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "ES256" } }
        })
      }
    },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` }
  })
  /** The person signs in and consents to everything, or refuses. */
  const decide = async (request: IncomingMessage, response: ServerResponse) => {
    const { params } = await provider.interactionDetails(request, response)
    const finish = (result: Readonly<Record<string, unknown>>) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    if (signingIn === undefined) return finish({ error: "access_denied" })
    const grant = new provider.Grant({ accountId: signingIn, clientId: params.client_id })
    grant.addOIDCScope("openid")
    grant.addResourceScope(RESOURCE, "api")
    return finish({ login: { accountId: signingIn }, consent: { grantId: await grant.save() } })
  }
  const answer = provider.callback()

  return {
    issuer,
    /** Requests an access token for a caller. */
    token: async (kind: Kind, id: string, mail?: string, isVerified = true): Promise<string> => {
      claims.set(id, claimsOf(kind, mail, isVerified))
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "client_credentials", resource: RESOURCE, scope: "api" }),
        headers: { authorization: `Basic ${btoa(`${encodeURIComponent(id)}:secret`)}` }
      })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return (JSON.parse(text) as { readonly access_token: string }).access_token
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

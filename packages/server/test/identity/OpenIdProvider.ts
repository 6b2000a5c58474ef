import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:http"
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
    this.model === "Client" ? { ...MACHINE, client_id: id } : Storage.entries.get(`${this.model}:${id}`)
  findByUid = async () => {}
  destroy = async (id: string) => void Storage.entries.delete(`${this.model}:${id}`)
  consume = async () => {}
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

/** Starts a real OpenID provider on this machine. It issues tokens for any identity without a check. */
export const startProvider = async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const claims = new Map<string, ReturnType<typeof claimsOf>>()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    adapter: Storage,
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", kid: "1", use: "sig" }] },
    cookies: { keys: ["cookies"] },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    ttl: { ClientCredentials: 600 },
    extraTokenClaims: (_: unknown, { clientId }: { readonly clientId: string }) => claims.get(clientId),
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
    interactions: { url: () => "/" }
  })
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
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startProvider>>

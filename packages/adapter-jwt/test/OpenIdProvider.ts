import { createHash, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { Provider } from "oidc-provider"
import type { Issuer, Json } from "./Issuer.ts"

/** What access tokens are for, and the audience that they name. */
export const RESOURCE = "urn:sojourn"
export const AUDIENCE = "sojourn"
const CALLBACK = "http://127.0.0.1/callback"
/** A real OpenID provider on this machine: `oidc-provider`. */
export interface OpenIdProvider {
  readonly issuer: string
  /** An access token by the client credentials flow, with the claims that were set up for this client. */
  readonly access: (client: string) => Effect.Effect<string>
  /** The tokens of a person who signs in by the authorization code flow with PKCE. */
  readonly signIn: (account: string) => Effect.Effect<{ readonly access: string; readonly id: string }>
}

/** The client of the authorization code flow; every other client is a machine of its own name. */
export const WEB = "web"

/** What the provider keeps, across its restarts. */
export class Storage {
  static entries = new Map<string, Json>()
  readonly model: string
  constructor(model: string) {
    this.model = model
  }
  private key = (id: string) => `${this.model}:${id}`
  async upsert(id: string, payload: Json) {
    Storage.entries.set(this.key(id), payload)
  }
  async find(id: string): Promise<Json | undefined> {
    return Storage.entries.get(this.key(id))
  }
  findByUid = async (uid: string) => [...Storage.entries.values()].find((entry) => entry.uid === uid)
  destroy = async (id: string) => void Storage.entries.delete(this.key(id))
  consume = async (id: string) => void Object.assign(Storage.entries.get(this.key(id)) ?? {}, { consumed: 1 })
  revokeByGrantId = async () => {}
}

/** A client that gets tokens of its own, which are signed by this algorithm. */
export const machine = (alg: string) => ({
  client_secret: "secret",
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
  id_token_signed_response_alg: alg
})

/** A client without a secret, in which people sign in. */
export const browser = (alg: string, redirect: string) => ({
  application_type: "native",
  token_endpoint_auth_method: "none",
  redirect_uris: [redirect],
  id_token_signed_response_alg: alg
})

/** The configuration of a provider of access tokens that are JWTs. `claimsOf` are their claims, by the client or the person. */
export const configured = (
  keys: ReadonlyArray<Pick<Issuer, "alg" | "key" | "kid">>,
  claimsOf: (id: string) => Json | undefined
) => ({
  adapter: Storage,
  jwks: { keys: keys.map(({ alg, key, kid }) => ({ ...key.export({ format: "jwk" }), alg, kid, use: "sig" })) },
  cookies: { keys: ["cookies"] },
  enabledJWA: { idTokenSigningAlgValues: ["EdDSA", "ES256", "PS256", "RS256"] },
  ttl: Object.fromEntries(
    ["AccessToken", "AuthorizationCode", "ClientCredentials", "Grant", "IdToken", "Interaction", "Session"].map(
      (name) => [name, 600]
    )
  ),
  findAccount: (_: unknown, accountId: string) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  extraTokenClaims: (_: unknown, token: { readonly clientId: string; readonly accountId?: string }) =>
    claimsOf(token.accountId ?? token.clientId),
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
        jwt: { sign: { alg: keys[0]?.alg ?? "" } }
      })
    }
  },
  interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` }
})

const configuration = (keys: ReadonlyArray<Issuer>, claims: Readonly<Record<string, Json>>) => {
  const alg = keys[0]?.alg ?? ""
  return {
    ...configured(keys, (id) => claims[id]),
    clients: [
      ...Object.keys(claims).map((client_id) => ({ client_id, ...machine(alg) })),
      { client_id: WEB, ...browser(alg, CALLBACK) }
    ]
  }
}

/** Signs in as this account, and consents to everything. */
export const agree = async (
  provider: Provider,
  account: string,
  request: IncomingMessage,
  response: ServerResponse
) => {
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId: account, clientId: params.client_id })
  grant.addOIDCScope("openid")
  grant.addResourceScope(RESOURCE, "api")
  const result = { login: { accountId: account }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

const post = async (issuer: string, body: Record<string, string>, headers: Record<string, string> = {}) => {
  const response = await fetch(`${issuer}/token`, { method: "POST", body: new URLSearchParams(body), headers })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(JSON.stringify(answer))
  return { access: String(answer.access_token), id: String(answer.id_token) }
}

/** An access token of a machine. */
export const machineToken = async (issuer: string, client: string): Promise<string> => {
  const authorization = `Basic ${btoa(`${encodeURIComponent(client)}:secret`)}`
  const body = { grant_type: "client_credentials", resource: RESOURCE, scope: "api" }
  return (await post(issuer, body, { authorization })).access
}

/** Follows the redirects of a browser that keeps cookies, to the client's callback. */
const browse = async (start: string): Promise<URL> => {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  while (!url.href.startsWith(CALLBACK)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, { redirect: "manual", headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split("=")
      cookies.set(name, value)
    }
    const location = response.headers.get("location")
    if (location === null) throw new Error(`${response.status}: ${await response.text()}`)
    url = new URL(location, url)
  }
  return url
}

const listen = (server: Server) =>
  Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

/** Starts a provider that publishes these keys, and signs with the first. `claims` are what it writes into access tokens, by the client (or the person who signs in). */
export const openIdProvider = Effect.fnUntraced(function* (
  keys: ReadonlyArray<Issuer>,
  claims: Readonly<Record<string, Json>>
) {
  let account = ""
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/interaction/")) return void agree(provider, account, request, response)
    provider.callback()(request, response)
  })
  yield* listen(server)
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configuration(keys, claims))
  const self: OpenIdProvider = {
    issuer,
    access: (client) => Effect.promise(() => machineToken(issuer, client)),
    signIn: (person) =>
      Effect.promise(async () => {
        account = person
        const code_verifier = randomBytes(32).toString("base64url")
        const query = {
          client_id: WEB,
          response_type: "code",
          scope: "openid api",
          resource: RESOURCE,
          redirect_uri: CALLBACK,
          nonce: randomBytes(16).toString("base64url"),
          code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
          code_challenge_method: "S256"
        }
        const { searchParams } = await browse(`${issuer}/auth?${new URLSearchParams(query)}`)
        return post(issuer, {
          grant_type: "authorization_code",
          client_id: WEB,
          code: searchParams.get("code") ?? "",
          code_verifier,
          redirect_uri: CALLBACK,
          resource: RESOURCE
        })
      })
  }
  return self
})

/** The little of oidc-provider that the tests use; the package has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  class Grant {
    constructor(of: { readonly accountId: string; readonly clientId: string })
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    readonly Grant: typeof Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse
    ): Promise<{ readonly params: { readonly client_id: string } }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options: { readonly mergeWithLastSubmission: boolean }
    ): Promise<void>
  }
}

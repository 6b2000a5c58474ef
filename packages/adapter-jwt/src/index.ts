/** Authenticates callers by JSON Web Tokens: those of OpenID Connect issuers, and those of this service's own issuer. */
export * as Authorities from "./Authorities.ts"
export * as Claims from "./Claims.ts"
export * as Oidc from "./Oidc.ts"
export * as OwnIssuer from "./OwnIssuer.ts"

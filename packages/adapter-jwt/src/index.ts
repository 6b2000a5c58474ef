export * as Claims from "./Claims.ts"
export * as Jwks from "./Jwks.ts"
export * as OwnIssuer from "./OwnIssuer.ts"

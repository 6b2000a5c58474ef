export * as Authorities from "./Authorities.ts"
export * as Claims from "./Claims.ts"
export * as Oidc from "./Oidc.ts"
export * as OwnIssuer from "./OwnIssuer.ts"

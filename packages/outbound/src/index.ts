/** Guarded connections to servers that callers name: checked addresses, TLS that is always verified, and one resolver. */
export * from "./ConnectTls.ts"
export * from "./ReachableAddresses.ts"
export * from "./ServerUnreachable.ts"
export * from "./Socket.ts"
export * from "./SocketErrors.ts"
export * from "./SystemResolver.ts"
export * from "./TrustedAuthorities.ts"

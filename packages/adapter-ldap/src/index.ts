/** Organizations' directories over LDAP, a probe of them for operators, and TLS connections with the same guards. */
export * as LdapDirectory from "./LdapDirectory.ts"
export * as OutboundTls from "./OutboundTls.ts"
export * as DirectoryProbe from "./DirectoryProbe.ts"
export {
  InvalidOptions,
  type Limits,
  type Options,
  type Resolve,
  type ServerOptions,
  type ServiceAccount,
  type StartTls
} from "./Options.ts"

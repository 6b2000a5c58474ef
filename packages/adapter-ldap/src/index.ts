/** Organizations' directories over LDAP, and a probe of them for operators. */
export * as LdapDirectory from "./LdapDirectory.ts"
export * as DirectoryProbe from "./DirectoryProbe.ts"
export {
  InvalidOptions,
  type Limits,
  type Options,
  type ServerOptions,
  type ServiceAccount,
  type StartTls
} from "./Options.ts"

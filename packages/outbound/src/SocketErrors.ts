/** Descriptions of socket and TLS errors for an operator. Node's own messages contain names and addresses and are not shown. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing listens at the server's address and port"],
  ["ECONNRESET", "the server closed the connection"],
  ["EPIPE", "the server closed the connection"],
  ["EHOSTUNREACH", "there is no route to the server's address"],
  ["ENETUNREACH", "there is no route to the server's address"],
  ["ETIMEDOUT", "the server does not answer"],
  ["EACCES", "the operating system denies the connection"],
  ["EMFILE", "this process has too many open files"],
  ["CERT_HAS_EXPIRED", "the server's certificate has expired"],
  ["CERT_NOT_YET_VALID", "the server's certificate is not valid yet"],
  ["CERT_REVOKED", "the server's certificate is revoked"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "the server's certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "the authority of the server's certificate is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT", "the authority of the server's certificate is not known"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "the authority of the server's certificate is not known"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the authority of the server's certificate is not known"],
  ["CERT_SIGNATURE_FAILURE", "the signature of the server's certificate is wrong"],
  ["INVALID_CA", "the authority of the server's certificate may not sign certificates"],
  ["INVALID_PURPOSE", "the server's certificate is not one for servers"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the server's certificate is for another name"],
  ["EPROTO", "the server does not speak TLS correctly"]
])

const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null) return undefined
  // Several addresses were tried, and each failed.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return "code" in error && typeof error.code === "string" ? error.code : undefined
}

/** A sentence without names, addresses or anything else of the error's own text. */
export const wordsFor = (error: unknown): string => {
  const code = codeOf(error) ?? ""
  if (code.startsWith("ERR_SSL_")) return "the server does not speak TLS correctly"
  return WORDS.get(code) ?? `the connection failed${/^[A-Z_0-9]{1,60}$/.test(code) ? ` (${code})` : ""}`
}

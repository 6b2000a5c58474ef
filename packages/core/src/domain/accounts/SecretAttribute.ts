/**
 * Names of attributes that hold passwords, their hashes, keys or other credentials, in lower case: RFC 4519, RFC 3112, Active Directory,
 * LAPS, Samba, Kerberos, OpenLDAP, 389 Directory Server and eDirectory. Others are known by a word in their name.
 */
const NAMES: ReadonlySet<string> = new Set([
  "currentvalue",
  "dbcspwd",
  "initialauthincoming",
  "initialauthoutgoing",
  "ipanthash",
  "ipatokenhotpcounter",
  "ipatokenotpkey",
  "krbextradata",
  "krbmkey",
  "krbprincipalkey",
  "msds-keycredentiallink",
  "msfve-keypackage",
  "olcsyncrepl",
  "peklist",
  "priorvalue",
  "supplementalcredentials",
  "trustauthincoming",
  "trustauthoutgoing",
  "userpkcs12"
])

/** The same attributes by their numbers, where they have one that is the same everywhere. */
const NUMBERS: ReadonlySet<string> = new Set([
  "2.5.4.35", // userPassword
  "1.3.6.1.4.1.4203.1.3.4", // authPassword
  "1.3.6.1.4.1.4203.1.12.2.3.2.0.9", // olcRootPW
  "1.3.6.1.4.1.4203.1.12.2.3.2.0.11", // olcSyncrepl
  "1.3.6.1.4.1.42.2.27.8.1.20", // pwdHistory
  "1.3.6.1.4.1.7165.2.1.1", // lmPassword of old Samba
  "1.3.6.1.4.1.7165.2.1.2", // ntPassword of old Samba
  "1.3.6.1.4.1.7165.2.1.24", // sambaLMPassword
  "1.3.6.1.4.1.7165.2.1.25", // sambaNTPassword
  "1.3.6.1.4.1.7165.2.1.54", // sambaPasswordHistory
  "1.2.840.113556.1.4.27", // currentValue
  "1.2.840.113556.1.4.55", // dBCSPwd
  "1.2.840.113556.1.4.90", // unicodePwd
  "1.2.840.113556.1.4.94", // ntPwdHistory
  "1.2.840.113556.1.4.100", // priorValue
  "1.2.840.113556.1.4.125", // supplementalCredentials
  "1.2.840.113556.1.4.129", // trustAuthIncoming
  "1.2.840.113556.1.4.135", // trustAuthOutgoing
  "1.2.840.113556.1.4.160", // lmPwdHistory
  "1.2.840.113556.1.4.539", // initialAuthIncoming
  "1.2.840.113556.1.4.540", // initialAuthOutgoing
  "1.2.840.113556.1.4.1910", // unixUserPassword
  "1.2.840.113556.1.4.1964", // msFVE-RecoveryPassword
  "1.2.840.113556.1.4.2196", // msDS-ManagedPassword
  "1.2.840.113556.1.8000.2554.50051.45980.28112.18903.35903.6685103.1224907.2.1", // ms-Mcs-AdmPwd
  "2.16.840.1.113719.1.301.4.39.1", // krbPrincipalKey
  "2.16.840.1.113730.3.1.216" // userPKCS12
])

/** Words in the names of attributes that hold secrets, also of unknown schemas: `nspmPassword`, `olcRootPW`, `oathSecret`. */
const WORDS = /passw|passphrase|passcode|pwd|pw$|secret|credential|private-?key|hotpkey|totp|(nt|lm)-?hash/

/**
 * Does the attribute hold secrets of people, by its name or its number? Then it cannot serve as an id: an owner who names it would
 * search another organization's directory by its values, with the rights of the operator's service account.
 */
export const holdsSecrets = (attribute: string): boolean => {
  // Attributes have no case, options choose among their values, and numbers with leading zeros are read all the same.
  const [name = ""] = attribute
    .toLowerCase()
    .replace(/^oid\./, "")
    .split(";")
  const number = name.replace(/(^|\.)0+(?=\d)/g, "$1")
  return NAMES.has(name) || NUMBERS.has(number) || WORDS.test(name)
}

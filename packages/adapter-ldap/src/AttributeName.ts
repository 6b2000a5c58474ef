/** Names that stand for one attribute (RFC 4519, RFC 2798, RFC 4524): a server may answer with another than it was asked. */
const SYNONYMS: ReadonlyArray<ReadonlyArray<string>> = [
  ["uid", "userid", "0.9.2342.19200300.100.1.1"],
  ["cn", "commonname", "2.5.4.3"],
  ["sn", "surname", "2.5.4.4"],
  ["givenname", "gn", "2.5.4.42"],
  ["mail", "rfc822mailbox", "0.9.2342.19200300.100.1.3"],
  ["serialnumber", "2.5.4.5"],
  ["employeenumber", "2.16.840.1.113730.3.1.3"],
  ["displayname", "2.16.840.1.113730.3.1.241"]
]

const ATTRIBUTE_NAME = /^([a-z][a-z0-9-]*|\d+(\.\d+)+)$/i

/** Is it the name of an attribute, as words or as numbers with dots, without options? */
export const isAttributeName = (name: string): boolean => ATTRIBUTE_NAME.test(name)

const canonical = (name: string): string => {
  const lower = name.toLowerCase()
  return SYNONYMS.find((names) => names.includes(lower))?.[0] ?? lower
}

/** Do the two names stand for one attribute? One with options (`givenName;lang-it`) is another attribute. */
export const isSameAttribute = (one: string, other: string): boolean => canonical(one) === canonical(other)

import { type AuthenticationServerUrl, OrgAuthServerId, type PersonInformation } from "@sojourn/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Entry } from "ldapts"
import { isSameAttribute } from "./AttributeName.ts"
import type { ServerSettings } from "./Settings.ts"

const OBJECT_CLASS = "objectClass"

const asOrgAuthServerId = Schema.decodeUnknownOption(OrgAuthServerId)

/** What to read of an entry to know its id. Its classes tell aliases from people. */
export const idAttributes = ({ idAttribute }: AuthenticationServerUrl): ReadonlyArray<string> => [
  idAttribute,
  OBJECT_CLASS
]

/** What to read of an entry to know its person. */
export const personAttributes = (
  server: AuthenticationServerUrl,
  { nameAttribute, surnameAttribute }: ServerSettings
): ReadonlyArray<string> => [...idAttributes(server), nameAttribute, surnameAttribute]

/** The values of an attribute. What is not UTF-8 is left as bytes, and is no text to anybody here. */
const valuesOf = (entry: Entry, attribute: string): ReadonlyArray<unknown> => {
  const found = Object.entries(entry).find(([name]) => name !== "dn" && isSameAttribute(name, attribute))
  return found === undefined ? [] : [found[1]].flat()
}

const textOf = (entry: Entry, attribute: string): string => {
  const [first] = valuesOf(entry, attribute)
  return typeof first === "string" ? first : ""
}

/** An alias is another name of an entry, and not a person: aliases are not followed. */
const isAlias = (entry: Entry): boolean =>
  valuesOf(entry, OBJECT_CLASS).some((name) => typeof name === "string" && name.toLowerCase() === "alias")

/** The entries without the aliases among them. */
export const withoutAliases = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.filter((entry) => !isAlias(entry))

/**
 * The id of an entry's person, as the directory spells it. None when there is no value, or several, or one that cannot be
 * an id: it is not for us to choose.
 */
export const idOf = (entry: Entry, { idAttribute }: AuthenticationServerUrl): Option.Option<OrgAuthServerId> => {
  const [value, ...others] = valuesOf(entry, idAttribute)
  return others.length === 0 ? asOrgAuthServerId(value) : Option.none()
}

/** The person of an entry, when it has an id. A name that is not there is empty; of several the first counts. */
export const personOf = (
  entry: Entry,
  server: AuthenticationServerUrl,
  { nameAttribute, surnameAttribute }: ServerSettings
): Option.Option<PersonInformation> =>
  Option.map(idOf(entry, server), (orgAuthServerId) => ({
    orgAuthServerId,
    name: textOf(entry, nameAttribute),
    surname: textOf(entry, surnameAttribute)
  }))

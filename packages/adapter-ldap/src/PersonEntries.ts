/** Entries of people: the filters and attributes that find them, and the people that they stand for. */
import { type AuthenticationServerUrl, OrgAuthServerId, type PersonInformation } from "@sojourn/core"
import { Option, Schema } from "effect"
import { type Entry, EqualityFilter, type Filter, PresenceFilter } from "ldapts"
import { isSameAttribute } from "./AttributeName.ts"
import type { ServerSettings } from "./Settings.ts"

const OBJECT_CLASS = "objectClass"

const asOrgAuthServerId = Schema.decodeUnknownOption(OrgAuthServerId)

/** Matches entries with the id attribute, which most entries that are not people do not have. */
export const hasId = ({ idAttribute }: AuthenticationServerUrl): Filter =>
  new PresenceFilter({ attribute: idAttribute })

/** Matches entries with this id, as the server compares ids. No character is special: the value is sent as bytes. */
export const hasIdValue = ({ idAttribute }: AuthenticationServerUrl, value: string): Filter =>
  new EqualityFilter({ attribute: idAttribute, value })

/** The attributes to read for an entry's id. The object class tells aliases from people. */
export const idAttributes = ({ idAttribute }: AuthenticationServerUrl): ReadonlyArray<string> => [
  idAttribute,
  OBJECT_CLASS
]

/** The attributes to read for an entry's person. */
export const personAttributes = (
  server: AuthenticationServerUrl,
  { nameAttribute, surnameAttribute }: ServerSettings
): ReadonlyArray<string> => [...idAttributes(server), nameAttribute, surnameAttribute]

/** The values of an attribute. A value that is not UTF-8 stays bytes and never counts as text. */
const valuesOf = (entry: Entry, attribute: string): ReadonlyArray<unknown> => {
  const found = Object.entries(entry).find(([name]) => name !== "dn" && isSameAttribute(name, attribute))
  return found === undefined ? [] : [found[1]].flat()
}

const textOf = (entry: Entry, attribute: string): string => {
  const [first] = valuesOf(entry, attribute)
  return typeof first === "string" ? first : ""
}

/** Whether an entry is an alias: another name of an entry, not a person. Aliases are not followed. */
const isAlias = (entry: Entry): boolean =>
  valuesOf(entry, OBJECT_CLASS).some((name) => typeof name === "string" && name.toLowerCase() === "alias")

/** The entries without the aliases among them. */
export const withoutAliases = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.filter((entry) => !isAlias(entry))

/**
 * The id of an entry's person, in the directory's spelling. None when the attribute has no value, several values, or one that
 * is not a valid id.
 */
export const idOf = (entry: Entry, { idAttribute }: AuthenticationServerUrl): Option.Option<OrgAuthServerId> => {
  const [value, ...others] = valuesOf(entry, idAttribute)
  return others.length === 0 ? asOrgAuthServerId(value) : Option.none()
}

/** The person of an entry, if it has an id. A missing name is empty; of several names the first counts. */
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

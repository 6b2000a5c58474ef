/** Random organizations, and changes of them. */
import {
  type AuthenticationServerUrl,
  type NewOrganization,
  type OrganizationChange,
  parseAuthenticationServerUrl
} from "@sojourn/core"
import { Arbitrary, Result } from "effect"
import { rectangle, rectangleArea } from "./areas.ts"
import { anyOf, maybe, oneOf } from "./choice.ts"
import { mode } from "./permissions.ts"
import { text } from "./text.ts"

/** Authentication servers that the default policy allows. */
export const SERVERS: readonly [AuthenticationServerUrl, ...ReadonlyArray<AuthenticationServerUrl>] = [
  Result.getOrThrow(parseAuthenticationServerUrl("ldaps://ldap.example.org/ou=people,dc=example,dc=org?uid?sub")),
  Result.getOrThrow(parseAuthenticationServerUrl("LDAPS://Ldap.Example.ORG:636/o=a%20b??one")),
  Result.getOrThrow(parseAuthenticationServerUrl("ldap.example.net"))
]

const postCode = oneOf<string | number>(anyOf(["00187", "35121", "SW1A 1AA"]), anyOf([0, 187, 35121]))

/** All fields of a new organization, in any combination. */
export const newOrganization: Arbitrary.Arbitrary<NewOrganization> = Arbitrary.all({
  name: text(1, 128),
  description: maybe(text(0, 512)),
  image: maybe(text(0, 300)),
  street: maybe(text(0, 256)),
  number: maybe(text(0, 10)),
  postCode: maybe(postCode),
  city: maybe(text(0, 100)),
  country: maybe(text(0, 100)),
  trackingArea: Arbitrary.map(rectangle(4), rectangleArea),
  trackingMode: mode,
  authenticationServer: maybe(anyOf(SERVERS)),
  maxArea: maybe(anyOf([1, 9_000, 20_000, 1e6, 1e15]))
})

const changeOf = <A>(value: Arbitrary.Arbitrary<A>) =>
  oneOf<A | null | undefined>(Arbitrary.Constant(undefined), Arbitrary.Constant(null), value)

/** A change of some fields: left alone, cleared, or set to something that may be what they are. */
export const organizationChange: Arbitrary.Arbitrary<OrganizationChange> = Arbitrary.all({
  name: maybe(text(1, 128)),
  description: changeOf(text(0, 512)),
  image: changeOf(text(0, 300)),
  street: changeOf(text(0, 256)),
  number: changeOf(text(0, 10)),
  postCode: changeOf(postCode),
  city: changeOf(text(0, 100)),
  country: changeOf(text(0, 100)),
  trackingArea: maybe(Arbitrary.map(rectangle(4), rectangleArea)),
  trackingMode: maybe(mode),
  authenticationServer: changeOf(anyOf(SERVERS))
})

/** The rules for new organizations, for changes of their fields, and for the operator's constraint on the area. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  changeOrganization,
  checkNewOrganization,
  constrainOrganization,
  type NewOrganization,
  type Organization,
  OrganizationId,
  squareMetres
} from "../../../src/index.ts"
import {
  after,
  anyOf,
  newOrganization,
  NOW,
  offset,
  organizationChange,
  rectangle,
  rectangleArea,
  SERVERS
} from "@sojourn/testing"
import { trials, verdict } from "../../trials.ts"

/** An organization that exists: one that knows its server when it must. */
const organization: Arbitrary.Arbitrary<Organization> = Arbitrary.map(
  Arbitrary.all([newOrganization, offset]),
  ([fields, since]) => ({
    ...fields,
    authenticationServer:
      fields.trackingMode === "authenticated"
        ? (fields.authenticationServer ?? SERVERS[0])
        : fields.authenticationServer,
    id: OrganizationId.make(7n),
    creationDate: after(NOW, since - 1000),
    lastChangeDate: after(NOW, since)
  })
)

const tooLarge = ({ trackingArea, maxArea }: NewOrganization) =>
  maxArea !== undefined && squareMetres(trackingArea) > maxArea

const areaOf = (index: number) => rectangleArea({ left: index, bottom: 0, right: index + 1, top: 1 })
describe("a new organization", () => {
  it.prop(
    "knows its authentication server when it tracks people by name, and is no larger than it may be",
    { fields: newOrganization },
    ({ fields }) => {
      const expected =
        fields.trackingMode === "authenticated" && fields.authenticationServer === undefined
          ? "AuthenticationServerMissing"
          : tooLarge(fields)
            ? "TrackingAreaTooLarge"
            : "accepted"
      assert.strictEqual(verdict(checkNewOrganization(fields)), expected)
    },
    trials()
  )
})

describe("a change of an organization", () => {
  it.prop(
    "changes the fields that are present, clears those that are null, and keeps the rules of what it touches",
    { organization, change: organizationChange, since: offset },
    ({ organization, change, since }) => {
      const now = after(NOW, since)
      const result = changeOrganization(organization, change, now)
      const wanted = Object.fromEntries(
        Object.entries(change)
          .filter(([, value]) => value !== undefined)
          .map(([field, value]) => [field, value ?? undefined])
      )
      const after_: Organization = { ...organization, ...wanted }
      const movesArea = after_.trackingArea.text !== organization.trackingArea.text
      const expected =
        after_.trackingMode === "authenticated" && after_.authenticationServer === undefined
          ? "AuthenticationServerMissing"
          : movesArea && tooLarge(after_)
            ? "TrackingAreaTooLarge"
            : "accepted"
      assert.strictEqual(verdict(result), expected)
      if (Result.isFailure(result)) return
      const changed = result.success
      const differs = (Object.keys(wanted) as Array<keyof Organization>).some(
        (field) => JSON.stringify(after_[field]) !== JSON.stringify(organization[field])
      )
      if (!differs) return assert.strictEqual(changed, organization, "its very self when nothing differs")
      assert.deepStrictEqual(changed, { ...after_, lastChangeDate: changed.lastChangeDate })
      assert.strictEqual(changed.lastChangeDate, Math.max(now, organization.lastChangeDate), "time never goes back")
      assert.deepStrictEqual(
        [changed.id, changed.creationDate, changed.maxArea],
        [organization.id, organization.creationDate, organization.maxArea]
      )
    },
    trials(500)
  )

  it.prop(
    "of one field alone is a change when its text is another, and of the server or the area only then",
    { drawn: organization, name: anyOf(["Another", "name"]) },
    ({ drawn, name }) => {
      const before = { ...drawn, authenticationServer: SERVERS[0], maxArea: undefined }
      const [server, area] = [SERVERS[1]!, areaOf(5)]
      const now = after(before.lastChangeDate, 1)
      for (const change of [{ name }, { city: name }, { trackingArea: area }, { authenticationServer: server }]) {
        const changed = Result.getOrThrow(changeOrganization(before, change, now))
        assert.deepStrictEqual(changed, { ...before, ...change, lastChangeDate: now })
      }
      const same = { trackingArea: { ...before.trackingArea }, authenticationServer: { ...SERVERS[0]! } }
      assert.strictEqual(Result.getOrThrow(changeOrganization(before, same, now)), before)
    },
    trials(50)
  )

  it.prop(
    "of nothing, or to what already is, answers the very organization, whatever its area",
    { organization },
    ({ organization }) => {
      const { id: _, creationDate: __, lastChangeDate: ___, maxArea: ____, ...same } = organization
      for (const change of [{}, same, { trackingArea: rectangleArea({ left: 0, bottom: 0, right: 4, top: 4 }) }]) {
        if ("trackingArea" in change && change.trackingArea.text !== organization.trackingArea.text) continue
        assert.strictEqual(Result.getOrUndefined(changeOrganization(organization, change, NOW)), organization)
      }
    },
    trials()
  )
})

describe("an operator's constraint", () => {
  it.prop(
    "is kept when the present area respects it, can be lifted, and changes nothing else",
    { organization, drawn: rectangle(4), share: anyOf([undefined, 0.5, 1, 1.5]) },
    ({ organization: before, drawn, share }) => {
      const organization = { ...before, trackingArea: rectangleArea(drawn) }
      const maxArea = share === undefined ? undefined : squareMetres(organization.trackingArea) * share
      const result = constrainOrganization(organization, maxArea)
      assert.strictEqual(verdict(result), share === 0.5 ? "TrackingAreaTooLarge" : "accepted")
      if (Result.isSuccess(result)) assert.deepStrictEqual(result.success, { ...organization, maxArea })
    },
    trials()
  )
})

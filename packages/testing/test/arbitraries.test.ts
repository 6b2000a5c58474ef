/** The arbitraries meet what they are biased towards: properties over values that are all alike would prove nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Option, Schema } from "effect"
import { LARGEST_LEAD, LARGEST_LONG, OrgAuthServerId, Text, UserId } from "@sojourn/core"
import {
  EARLIEST,
  secretKeys,
  history,
  LATEST,
  long,
  movementClaim,
  movementFacts,
  NOW,
  organizationChange,
  orgAuthServerId,
  permissions,
  rectangle,
  rectangleInside,
  rectanglesOverlap,
  text,
  timestamp,
  userId
} from "../src/index.ts"

/** How many of 500 values are of each kind. */
const kinds = <A>(arbitrary: Arbitrary.Arbitrary<A>, kindOf: (value: A) => string) =>
  Effect.map(Arbitrary.sampleEffect(arbitrary, { count: 500, seed: 20260301 }), (values) => {
    const counts: Record<string, number> = {}
    for (const value of values) counts[kindOf(value)] = (counts[kindOf(value)] ?? 0) + 1
    return counts
  })

const meets = (name: string, counted: ReturnType<typeof kinds>, expected: Readonly<Record<string, number>>) =>
  it.effect(name, () =>
    Effect.map(counted, (counts) => {
      for (const [kind, least] of Object.entries(expected)) assert.isAtLeast(counts[kind] ?? 0, least, kind)
    })
  )

describe("arbitraries meet", () => {
  meets(
    "Longs that are 1, and Longs that no JSON number holds",
    kinds(long, (id) => (id === 1n ? "one" : id === LARGEST_LONG ? "largest" : id >= 2n ** 53n ? "beyond" : "between")),
    { one: 30, largest: 5, beyond: 10, between: 100 }
  )
  meets(
    "text with characters beyond ASCII, with commas, escapes and slashes, and of full length",
    kinds(text(1, 64), (value) =>
      [...value].length === 64 ? "full" : /[^ -~]/u.test(value) ? "wide" : /[,%/]/.test(value) ? "escapes" : "plain"
    ),
    { full: 50, wide: 100, escapes: 10 }
  )
  meets(
    "people whose ids hold commas and escapes",
    kinds(orgAuthServerId, (id) => (id.includes(",") ? "comma" : id.includes("%") ? "percent" : "other")),
    { comma: 20, percent: 5, other: 100 }
  )
  meets(
    "instants at the ends of time and near the clock",
    kinds(timestamp, (at) =>
      at === EARLIEST || at === LATEST ? "end" : Math.abs(at - NOW) <= LARGEST_LEAD + 1 ? "near" : "far"
    ),
    { end: 20, near: 50, far: 50 }
  )
  meets(
    "claims at the very edge of what is too far ahead",
    kinds(movementClaim, ({ timestamp }) => {
      if (timestamp === undefined) return "none"
      return timestamp === NOW + LARGEST_LEAD ? "edge" : timestamp === NOW + LARGEST_LEAD + 1 ? "beyond" : "other"
    }),
    { none: 50, edge: 10, beyond: 10, other: 100 }
  )
  meets(
    "callers who are linked, and who are not",
    kinds(movementFacts, ({ mode, linked }) => `${mode} ${Option.isSome(linked) ? "linked" : "unlinked"}`),
    { "anonymous linked": 80, "anonymous unlinked": 40, "authenticated linked": 80, "authenticated unlinked": 40 }
  )
  meets(
    "organizations with one owner, and with more",
    kinds(permissions, (all) => (all.filter(({ level }) => level === "owner").length === 1 ? "one" : "more")),
    { one: 100, more: 100 }
  )
  meets(
    "rectangles that are inside, that overlap, that touch and that are apart",
    kinds(Arbitrary.all([rectangle(4), rectangle(4)]), ([one, other]) => {
      if (rectangleInside(one, other)) return "inside"
      if (rectanglesOverlap(one, other)) return "overlap"
      const touch =
        one.left <= other.right && other.left <= one.right && one.bottom <= other.top && other.bottom <= one.top
      return touch ? "touch" : "apart"
    }),
    { inside: 50, overlap: 50, touch: 25, apart: 10 }
  )
  meets(
    "sets of one key, and of several",
    kinds(secretKeys, (keys) => (keys.length === 1 ? "one" : "several")),
    { one: 50, several: 100 }
  )
  meets(
    "changes that clear a field, that set it, and that leave it",
    kinds(organizationChange, ({ city }) => (city === null ? "clear" : city === undefined ? "leave" : "set")),
    { clear: 80, set: 80, leave: 80 }
  )
  meets(
    "histories in which people enter, leave, link, and wait",
    kinds(
      Arbitrary.map(history, (steps) => new Set(steps.map(({ _tag }) => _tag))),
      (tags) => (tags.has("Enter") && tags.has("Leave") && tags.has("Link") && tags.size >= 4 ? "rich" : "poor")
    ),
    { rich: 200 }
  )

  it.effect("nothing but what the schemas allow", () =>
    Effect.gen(function* () {
      const sampled = Arbitrary.sampleEffect(Arbitrary.all({ userId, orgAuthServerId, text: text(0, 512) }), {
        count: 300,
        seed: 1
      })
      for (const value of yield* sampled) {
        assert.isTrue(Schema.is(UserId)(value.userId))
        assert.isTrue(Schema.is(OrgAuthServerId)(value.orgAuthServerId))
        assert.isTrue(Schema.is(Text)(value.text))
        assert.isAtMost([...value.text].length, 512)
      }
    })
  )
})

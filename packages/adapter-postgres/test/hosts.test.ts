/** Lists of hosts in the URL of a database, and which of them is used. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Option, Redacted } from "effect"
import { readDatabaseUrl } from "../src/index.ts"
import { anyOf, integer } from "@sojourn/testing"
import { chooseHost } from "../src/database/Hosts.ts"

describe("the URL of a database", () => {
  const read = (url: string) =>
    Option.getOrUndefined(
      Option.map(readDatabaseUrl(url), ({ hosts, allowsStandby }) => [
        ...hosts.map(({ url, host, port }) => `${Redacted.value(url)} ${host} ${port}`),
        ...(allowsStandby ? ["and standbys"] : [])
      ])
    )
  it.each([
    ["postgres://u:p@a/db", ["postgres://u:p@a/db a undefined"]],
    ["postgresql:///db?host=/run/pg", ["postgresql:///db?host=/run/pg undefined undefined"]],
    ["postgres://u:p%40@a:1,b/db?x=y", ["postgres://u:p%40@a:1/db?x=y a 1", "postgres://u:p%40@b/db?x=y b undefined"]],
    ["postgres://u@[::1]:5,b/db", ["postgres://u@[::1]:5/db ::1 5", "postgres://u@b/db b undefined"]],
    ["postgres://u@/db?host=a,b&port=1,2", ["postgres://u@a:1/db a 1", "postgres://u@b:2/db b 2"]],
    ["postgres://u@/db?host=a,b&port=7", ["postgres://u@a:7/db a 7", "postgres://u@b:7/db b 7"]],
    [
      "postgres://a,b/db?target_session_attrs=any",
      [
        "postgres://a/db?target_session_attrs=any a undefined",
        "postgres://b/db?target_session_attrs=any b undefined",
        "and standbys"
      ]
    ]
  ])("%s is read", (url, expected) => {
    assert.deepStrictEqual(read(url), expected)
  })
  it.each([
    "",
    "http://a/db",
    "postgres://a:x/db",
    "postgres://a:1:2/db",
    "postgres://a:65536/db",
    "postgres://u@/db?host=a,b&port=1,2,3",
    "postgres://a,b/db?target_session_attrs=standby"
  ])("%s is none", (url) => {
    assert.isUndefined(read(url))
  })
})

describe("the host that is used", () => {
  const state = anyOf([
    undefined,
    { isStandby: true, timeline: 0 },
    ...[1, 2, 3].map((timeline) => ({ isStandby: false, timeline }))
  ])
  const hosts = Arbitrary.array(
    Arbitrary.map(state, (state) => ({ state })),
    { minLength: 1, maxLength: 4 }
  )
  const trials = { arbitrary: { runs: 500, seed: 20260301 } }

  it.prop(
    "is a primary of the newest timeline that was ever seen, and stays it",
    { hosts, index: integer(0, 3), newest: integer(1, 3) },
    ({ hosts, index, newest }) => {
      const current = hosts[index]
      const chosen = chooseHost(hosts, current, { newest, allowsStandby: false })
      const timelines = hosts.flatMap(({ state }) => (state === undefined || state.isStandby ? [] : state.timeline))
      const best = Math.max(...timelines)
      if (best < newest) return assert.isUndefined(chosen)
      assert.deepStrictEqual(chosen?.state, { isStandby: false, timeline: best })
      if (current?.state?.timeline === best) assert.strictEqual(chosen, current)
    },
    trials
  )

  it.prop(
    "may be a standby where those are allowed, and is none that is away",
    { hosts },
    ({ hosts }) => {
      const chosen = chooseHost(hosts, undefined, { newest: 3, allowsStandby: true })
      assert.strictEqual(
        chosen?.state === undefined,
        hosts.every(({ state }) => state === undefined)
      )
    },
    trials
  )
})

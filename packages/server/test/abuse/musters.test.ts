/** An attack: a viewer fills the muster of an organization with people of their own making. */
import { expect, it } from "vitest"
import { makeFixtures, unique, want } from "../fixtures.ts"
import { sojournForThisFile } from "../harness.ts"

const sojourn = await sojournForThisFile()
const { authenticated, bind, call, enter, linked, owner } = makeFixtures(sojourn)

/** The number of requests of the attack, and of those at once. */
const [REQUESTS, AT_ONCE] = [48, 16]

it("a viewer who marks invented people gets 409, and the list stays usable", async () => {
  const { id } = await authenticated()
  want(await enter(await linked(id, "ada"), { kind: "organization", id }), 201)
  const { musterId } = want(
    await call(owner, "POST", `/muster/organization/${id}`, { json: { kind: "drill" } }),
    201
  ).json
  const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
  const mark = (orgAuthServerIds: ReadonlyArray<string>) =>
    call(viewer, "POST", `/muster/${musterId}/safe`, { json: { orgAuthServerIds } })

  let next = 0
  const accepted: Array<number> = []
  const refused: Array<number> = []
  const attack = async () => {
    while (next < REQUESTS) {
      const nth = next++
      const { status } = await mark(Array.from({ length: 300 }, (_, n) => `${nth}-${n}-${"x".repeat(240)}`))
      if (status === 200) accepted.push(nth)
      else refused.push(status)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, attack))
  expect(accepted).toHaveLength(3)
  expect(new Set(refused)).toEqual(new Set([409]))

  const { people } = want(await call(owner, "GET", `/muster/${musterId}`), 200).json
  const names: ReadonlyArray<string> = people.map((one: { orgAuthServerId: string }) => one.orgAuthServerId)
  expect(names).toHaveLength(901)
  // Each request is in the list as a whole or not at all.
  for (const nth of accepted) expect(names.filter((name) => name.startsWith(`${nth}-`))).toHaveLength(300)
  expect(people.filter((one: { state: string }) => one.state === "missing")).toMatchObject([{ orgAuthServerId: "ada" }])
  expect(want(await mark(["ada"]), 200).json).toMatchObject({ inside: 901, safe: 901, missing: 0 })
})

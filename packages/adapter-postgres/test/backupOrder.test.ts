/** Nothing in a backup orders what names a user among anonymous stays: neither the order of rows, nor a number in them. */
import {
  AccountLinkStore,
  FavoriteStore,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  StayLog,
  Timestamp,
  UserId
} from "@sojourn/core"
import { assert, layer } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Effect, Option } from "effect"
import { saveDatabase } from "../src/index.ts"
import { insertOrganization, layerPostgres, withStores } from "./fixtures.ts"
import * as SqlClient from "effect/sql/SqlClient"

const USERS = 40
const NOW = Timestamp(Date.parse("2026-06-01T12:00:00Z"))
const DAY = Timestamp(Date.parse("2026-06-01T00:00:00Z"))

/** Each user adds a favorite and makes a link, and right after it enters where people are anonymous. */
const history = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [anonymous, authenticated] = [OrganizationId.make(1n), OrganizationId.make(2n)]
  yield* insertOrganization(1)
  yield* insertOrganization(2, "authenticated")
  for (const id of [1, 2]) {
    yield* sql`insert into presence_feed (organization_id, at) values (${id}, '2026-01-01Z')`
    yield* sql`insert into presence_totals (organization_id, place_id, began_at) values (${id}, 0, '2026-01-01Z')`
  }
  const premises = OrganizationPremises(anonymous)
  const users: Array<UserId> = []
  for (let n = 0; n < USERS; n++) {
    const userId = UserId.make(`user-${SecureRandom.uuidV4Unsafe()}`)
    users.push(userId)
    yield* FavoriteStore.use((store) => store.add({ userId, organizationId: anonymous, creationDate: DAY }))
    const orgAuthServerId = OrgAuthServerId.make(SecureRandom.uuidV4Unsafe())
    yield* AccountLinkStore.use((store) => store.put({ userId, organizationId: authenticated, orgAuthServerId }))
    yield* StayLog.use((log) =>
      log.open({
        premises,
        userId,
        claim: { timestamp: undefined, orgAuthServerId: undefined, now: NOW },
        keyId: 1,
        retryKey: Option.none()
      })
    )
  }
  return users
})

/** How many users are at the place in a list at which their stay is among the stays. */
const guessed = (users: ReadonlyArray<UserId>, order: ReadonlyArray<string>) =>
  order.filter((text, n) => text.includes(users[n]!)).length

layer(layerPostgres, { excludeTestServices: true })("a backup", (it) => {
  it.effect("orders no favorite and no link among the anonymous stays better than chance", () =>
    withStores(
      Effect.gen(function* () {
        const users = yield* history
        const tables = new Map<string, Array<string>>()
        yield* saveDatabase({
          begin: () => Effect.void,
          write: ({ table, rows }) => Effect.sync(() => void tables.set(table, [...(tables.get(table) ?? []), ...rows]))
        })
        const naming = [...tables].filter(([, rows]) => rows.some((row) => users.some((user) => row.includes(user))))
        assert.sameMembers(
          naming.map(([table]) => table),
          ["account_link", "favorite"]
        )
        for (const [table, rows] of naming) {
          // By chance one user is at the right place; 8 of 40 are with a probability of 1e-5.
          assert.isBelow(guessed(users, rows), 8, `the order of ${table}`)
          const columns = Object.keys(JSON.parse(rows[0]!))
          for (const column of columns) {
            const valueOf = (row: string) => JSON.parse(row)[column]
            // Rows of one value stay in the order of the file.
            const order = rows.toSorted((one, other) =>
              valueOf(one) < valueOf(other) ? -1 : valueOf(one) > valueOf(other) ? 1 : 0
            )
            assert.isBelow(guessed(users, order), 8, `${table}.${column}`)
          }
        }
      })
    )
  )
})

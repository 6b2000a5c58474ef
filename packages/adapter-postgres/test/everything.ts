/** A row in every table, with values that a careless copy would change: for tests of backups and migrations. */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { crc32, deflateSync } from "node:zlib"

/** Text that a careless way of copying would change. */
const ODD = `it's "odd", \\ # \t\n back\\slash {a,b} é 🏛 \u0001 null`

const chunk = (type: string, data: Uint8Array) => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** An image of two grey pixels. */
const PNG = Buffer.concat([
  Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
  chunk("IHDR", Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
  chunk("IDAT", deflateSync(Buffer.from([0, 0, 0]))),
  chunk("IEND", Buffer.alloc(0))
])

const AREA = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'

/** A row or more of every table, with values at the edges of what they may hold. Columns that are left out are null. */
const ROWS: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>> = {
  administrator_account: [
    {
      administrator_id: "ada",
      mail: "Ada@Example.org",
      mail_key: "ada@example.org",
      is_invitation: false,
      is_mail_unproved: false
    },
    { administrator_id: ODD, is_invitation: true, is_mail_unproved: true, password_hash: "scrypt$odd" }
  ],
  organization_cell: [
    { name: ODD, cell: 0 },
    { name: "Elsewhere", cell: 255 }
  ],
  storage_identity: [{ is_single: true, identity: "5a6c3a5e-0d0c-4f43-9d35-1d8c2f6f0b7e" }],
  subject_cell: [
    { kind: "administrator", id: ODD, cell: 1 },
    { kind: "user", id: ODD, cell: 255 }
  ],
  organization: [
    {
      id: 1,
      name: ODD,
      post_code: "00100",
      tracking_area: `{"odd": "${"x".repeat(100_000)}", ${AREA.slice(1)}`,
      tracking_mode: "authenticated",
      authentication_server: "ldaps://directory.example.org/ou=people,dc=example,dc=org",
      anonymous_until: "2026-01-01T00:00:00.000Z",
      max_area: 0.1,
      time_zone: "Europe/Rome",
      creation_date: "0001-01-01T00:00:00+00:00 BC",
      last_change_date: "9999-12-31T23:59:59.999999+00:00",
      revision: 9007190000000000
    },
    {
      id: 2,
      name: "two",
      post_code: 35100,
      tracking_area: AREA,
      tracking_mode: "anonymous",
      max_area: 1e300,
      creation_date: "2026-01-01T00:00:00Z",
      last_change_date: "2026-01-01T00:00:00Z",
      revision: 0
    }
  ],
  place: [
    {
      organization_id: 1,
      id: 9007190000000000,
      name: null,
      tracking_area: AREA,
      west: 0,
      east: 1,
      south: 0,
      north: 1,
      area_points: 4,
      level: -100,
      floor: -100,
      ancestors: []
    }
  ],
  permission: [
    { organization_id: 1, administrator_id: "ada", level: "owner", nominated_by: "ada", granted: 1 },
    { organization_id: 1, administrator_id: ODD, level: "viewer", nominated_by: "ada", granted: 2 },
    { organization_id: 2, administrator_id: "ada", level: "owner", nominated_by: "ada", granted: 3 }
  ],
  account_link: [{ organization_id: 1, user_id: ODD, org_auth_server_id: "uid=ada,ou=people" }],
  favorite: [{ organization_id: 1, user_id: ODD, creation_date: "2026-01-01T00:00:00Z", added: 1 }],
  deletion_request: [
    { id: 1, organization_id: 2, administrator_id: "ada", creation_date: "2026-01-01T00:00:00Z", status: "pending" }
  ],
  open_stay: [
    {
      organization_id: 1,
      place_id: 0,
      id: 7,
      person: ODD,
      key_id: 255,
      entered_at: "0001-01-01T00:00:00+00:00 BC",
      recorded_at: "2026-01-01T00:00:00.123456Z"
    }
  ],
  stay: Array.from({ length: 1001 }, (_, n) => ({
    organization_id: 1,
    place_id: 9007190000000000,
    id: 1000 + n,
    entered_at: "2026-01-01T00:00:00.001Z",
    exited_at: "9999-12-31T23:59:59.999Z"
  })),
  entrance_retry: [
    {
      organization_id: 1,
      place_id: 0,
      retry_key: "key",
      stay_id: 7,
      key_id: 1,
      entered_at: "2026-01-01T00:00:00Z",
      used_at: "2026-01-01T00:00:00Z"
    }
  ],
  floor_plan: [
    {
      organization_id: 1,
      level: -100,
      west: -180,
      south: -90,
      east: 180,
      north: 0.1,
      rotation: 359.5,
      type: "image/png",
      bytes: PNG.length,
      digest: createHash("sha256").update(PNG).digest("hex"),
      image: `\\x${PNG.toString("hex")}`
    }
  ],
  device: [
    {
      id: 4,
      organization_id: 1,
      name: "Door",
      kind: "counter",
      creation_date: "2026-01-01T00:00:00Z",
      token_hash: "hash",
      former_hash: "former",
      former_until: "2026-01-01T00:01:00Z",
      state: "behind",
      seen_at: "2026-01-01T00:00:00.001Z",
      below_since: "2026-01-01T00:00:00.001Z",
      begun_since: "2026-01-01T00:00:00.001Z",
      begun_people: 100_000,
      drift: 9007190000000000
    }
  ],
  device_premises: [
    {
      organization_id: 1,
      device_id: 4,
      place_id: 0,
      position: 1,
      newest: 3,
      drift: 5,
      drift_before: 4,
      drift_at: "2026-01-01T00:00:00.001Z"
    }
  ],
  device_epoch: [
    { organization_id: 1, device_id: 4, place_id: 0, epoch: ODD, number: 3, in_total: 9007190000000000, out_total: 0 }
  ],
  counted_people: [
    {
      organization_id: 1,
      place_id: 0,
      counted: 0,
      missing: '[["4",5,1767225600000],["4",1,-1]]',
      corrected_until: "2026-01-01T00:00:00.001Z"
    }
  ],
  token_key: [{ id: 255, fingerprint: "print" }],
  token_revocation: [
    { caller_hash: "hash", issued_before: "9999-12-31T23:59:59.999999+00:00", revision: 9007190000000000 }
  ],
  stay_policy: [
    {
      organization_id: 1,
      longest_stay: 60,
      retention: 86_400,
      lease_number: 3,
      event_grain: 60,
      smallest_count: 1000,
      counted_reset_at: "04:00",
      stays_end_at: "03:00",
      device_silent_after: 60,
      reset_at: "2026-01-01T03:00:00Z",
      end_at: "2026-01-01T02:00:00Z",
      end_begun_at: "2025-12-31T02:00:00Z"
    }
  ],
  presence_feed: [
    { organization_id: 1, version: 9007190000000000, at: "9999-12-31T23:59:59.999Z" },
    { organization_id: 2, version: 0, at: "2026-01-01T00:00:00Z" }
  ],
  presence_totals: [
    ...[1, 2].map((organization_id) => ({
      organization_id,
      place_id: 0,
      entered: 0,
      departed: 0,
      exits: 0,
      counted_out: 0,
      level: "none",
      began_at: "2026-01-01T00:00:00Z"
    })),
    {
      organization_id: 1,
      place_id: 9007190000000000,
      entered: 9007190000000000,
      departed: 9007190000000000,
      exits: 9007190000000000,
      counted_out: 9007190000000000,
      capacity: 10_000_000,
      warn_at: 0.8,
      warn_from: 8_000_000,
      level: "normal",
      published_at: "2026-01-01T00:00:00.001Z",
      began_at: "2026-01-01T00:00:00Z"
    }
  ],
  presence_event: [
    {
      organization_id: 1,
      version: 9007190000000000,
      at: "9999-12-31T23:59:59.999Z",
      type: "presence.changed",
      place_id: 0,
      entered: 1,
      departed: 2,
      inside: 3,
      exits: 4,
      stayed: 5,
      level: "over",
      capacity: 6,
      changed: "deleted",
      muster_id: 9007190000000000,
      state: "ended"
    }
  ],
  import_key: [{ organization_id: 1, key: "00000000-0000-0000-0000-000000000000" }],
  imported_stay: [
    {
      organization_id: 1,
      place_id: 0,
      stay_id: 2000,
      exited_at: "2026-01-01T00:00:00Z",
      import_key: "ffffffff-ffff-ffff-ffff-ffffffffffff"
    },
    { organization_id: 1, place_id: 9007190000000000, stay_id: 1, exited_at: "1999-12-31T23:59:59.999Z" }
  ],
  presence_history: [
    {
      organization_id: 1,
      version: 9007190000000000,
      minutes_from: "2026-01-01T00:00:00Z",
      imported_at: "2026-01-02T00:00:00.001Z"
    },
    { organization_id: 2, version: 0 }
  ],
  presence_bucket: [
    {
      organization_id: 1,
      place_id: 9007190000000000,
      step: 86_400,
      began_at: "2026-01-01T00:00:00Z",
      changed_at: "2026-01-01T00:00:00.001Z",
      entered: 1,
      departed: 2,
      exits: 3,
      stayed: 9007190000000000,
      inside_before: 4,
      least: 5,
      most: 6,
      inside_time: 9007190000000000
    }
  ],
  muster: [
    {
      organization_id: 1,
      id: 1,
      mode: "authenticated",
      kind: "evacuation",
      note: ODD,
      started_at: "0001-01-01T00:00:00+00:00 BC",
      started_by: ODD,
      ended_at: "9999-12-31T23:59:59.999Z",
      last_stay: 0,
      version: 0,
      exits: 1,
      inside: 2,
      safe: 3,
      departed: 4,
      missing: 5,
      gone_stays: [],
      premises: [],
      entered: 6,
      swept_places: [9007190000000000],
      swept_ats: ["9999-12-31T23:59:59.999Z"],
      swept_by: [ODD]
    },
    {
      organization_id: 1,
      id: 2,
      mode: "authenticated",
      kind: "drill",
      started_at: "2026-01-01T00:00:00.001Z",
      started_by: "ada",
      last_stay: 9007190000000000,
      version: 9007190000000000,
      exits: 0,
      inside: 0,
      safe: 0,
      departed: 0,
      missing: 0,
      gone_stays: [9007190000000000],
      premises: [0, 9007190000000000],
      entered: 0,
      swept_places: [],
      swept_ats: [],
      swept_by: []
    }
  ],
  muster_beginning: [
    {
      organization_id: 1,
      muster_id: 2,
      people: [ODD, "ada"],
      place_ids: [0, 9007190000000000],
      stay_ids: [7, 9007190000000000],
      entrances: ["0001-01-01T00:00:00+00:00 BC", "9999-12-31T23:59:59.999Z"]
    }
  ],
  muster_person: [
    {
      organization_id: 1,
      muster_id: 2,
      person: "ada",
      place_ids: [9007190000000000, 7],
      since: "0001-01-01T00:00:00+00:00 BC",
      marked_at: "2026-01-01T00:00:00.001Z",
      ended_at: "9999-12-31T23:59:59.999Z",
      // Of versions before the lists.
      stay_places: [0],
      stay_ids: [7]
    }
  ],
  muster_result: [
    {
      organization_id: 1,
      muster_id: 1,
      people: [ODD, "ada"],
      place_ids: ["{9007190000000000,7}", "{}"],
      since: ["0001-01-01T00:00:00+00:00 BC", null],
      states: ["left", "safe"],
      ats: ["9999-12-31T23:59:59.999Z", null]
    }
  ],
  // That of the open stay, which nothing has told.
  pending_change: [
    {
      organization_id: 1,
      place_id: 0,
      entered: 1,
      departed: 0,
      exits: 0,
      stayed: 0,
      counted: 0,
      counted_out: 0,
      is_correction: false,
      is_anonymous: true,
      at: "2026-01-01T00:00:00.123Z"
    }
  ],
  erasure: [{ organization_id: 1, day: "2026-01-01", people: 1, accesses: 2, open_stays: 3, total_time: 4 }],
  webhook: [
    {
      id: 9007190000000000,
      organization_id: 1,
      url: "https://hooks.example.org/",
      types: ["presence.changed", "muster.changed"],
      key_id: 255,
      creation_date: "2026-01-01T00:00:00.001Z",
      created_by: "ada",
      secret_number: 2,
      earlier_key_id: 0,
      earlier_secret_number: 1,
      earlier_until: "9999-12-31T23:59:59.999Z",
      is_test_due: true,
      revision: 4,
      attempted: 51,
      processed: 9007190000000000,
      batch_end: 9007190000000001,
      delivered: 9007190000000000,
      presence_at: "2026-01-01T00:00:00Z",
      attempts: 3,
      retry_at: "9999-12-31T23:59:59.999Z",
      state: "failing",
      failed_at: "2026-01-01T00:00:00Z",
      failure: "the receiver answered 500",
      holder: "server",
      leased_until: "2026-01-01T00:00:07Z"
    }
  ],
  webhook_attempt: [
    {
      webhook_id: 9007190000000000,
      slot: 1,
      number: 51,
      version: 9007190000000000,
      at: "2026-01-01T00:00:00Z",
      status: 500,
      ms: 15000,
      failure: "the receiver answered 500"
    },
    { webhook_id: 9007190000000000, slot: 0, number: 50, version: null, at: "2026-01-01T00:00:00Z", ms: 0 }
  ],
  audit_entry: [
    {
      organization_id: 0,
      at: "2026-01-01T00:00:00Z",
      id: 1,
      actor_kind: "command",
      actor_id: ODD,
      action: "token.revoke"
    },
    {
      organization_id: 9007190000000000,
      at: "2026-01-31T23:59:59.999Z",
      id: 9007190000000000,
      place_id: 9007190000000000,
      actor_kind: "administrator",
      actor_id: "ada",
      action: "place.update",
      target_kind: "place",
      target_id: ODD,
      changes: { name: { from: ODD }, trackingArea: { to: { points: 4, sha256: "0".repeat(64) } } },
      people: 9007190000000000,
      request_id: "r"
    }
  ]
}

/** How far the sequences are that rows are numbered by. */
const LAST_VALUES = {
  audit_entry_id: 9007190000000000,
  deletion_request_id: 1,
  device_id: 4,
  muster_id: 2,
  organization_id: 2,
  permission_granted: 3,
  place_id: 9007190000000000,
  stay_id: 2000,
  webhook_id: 9007190000000000
}

/** The tables that there are rows for. */
export const FILLED = Object.keys(ROWS)

/** Puts a row or more into every table that the database has, whatever version its schema is of. */
export const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [table, rows] of Object.entries(ROWS)) {
    const [found] = yield* sql<{ readonly name: string | null }>`select to_regclass(${table})::text as name`
    if (found?.name == null) continue
    // What the migration put there.
    yield* sql`delete from ${sql(table)}`
    yield* sql`insert into ${sql(table)} select * from json_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::json)`
  }
  for (const [sequence, last] of Object.entries(LAST_VALUES))
    yield* sql`select setval(found, ${last}::bigint) from to_regclass(${sequence}) found where found is not null`
})

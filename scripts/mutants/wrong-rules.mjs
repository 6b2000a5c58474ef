/**
 * Planted faults in rules and adapters: in `file` the text `right` is replaced by `wrong`, and some test under `tests` must
 * fail. `right` must occur in the file exactly once, so that a moved rule is detected. For core's `domain/` and `services/`
 * this list has only faults that Stryker (`npm run mutation`) cannot make by changing conditions and operators.
 */
const rules = "packages/core/test/domain"
const laws = "packages/server/test/stores/laws.test.ts"
const model = "packages/server/test/stores/model.test.ts"
const deletions = "packages/adapter-postgres/test/deletions.test.ts"
const plans = "packages/adapter-postgres/test/plans.test.ts"
const erasures = "packages/adapter-postgres/test/erasures.test.ts"
const erasure = "packages/server/test/erasure/erasure.test.ts"
const deadlocks = "packages/adapter-postgres/test/deadlocks.test.ts"
const batchQueue = "packages/adapter-postgres/test/batchQueue.test.ts"
const stopping = "packages/adapter-postgres/test/stopping.test.ts"
const movements = "packages/server/test/statuses.movement.test.ts"
const matrix = "packages/server/test/authorization.test.ts"
const signIns = "packages/server/test/statuses.signIn.test.ts"
const volume = "packages/server/test/abuse/volume.test.ts"
const protocol = "packages/server/test/protocol.test.ts"
const verifiedTokens = [
  "packages/adapter-jwt/test/TokenCache.test.ts",
  "packages/adapter-jwt/test/TwoGenerationCache.test.ts"
]
const histories = "packages/adapter-jwt/test/TokenCache.history.test.ts"
const streams = "packages/adapter-http/test/presenceStream.test.ts"
const streamStatuses = "packages/server/test/statuses.stream.test.ts"
const streamBounds = "packages/server/test/graceful/streams.test.ts"
const deliveries = "packages/tracker/test/deliveries.test.ts"
const core = (file) => `packages/core/src/domain/${file}.ts`
const geofence = [
  "packages/core/test/domain/Geofence.test.ts",
  "packages/core/test/domain/Geofence.properties.test.ts",
  "packages/core/test/domain/Geofence.score.test.ts"
]
const memory = (file) => `packages/adapter-memory/src/${file}.ts`
const postgres = (file) => `packages/adapter-postgres/src/${file}.ts`
const jwt = (file) => `packages/adapter-jwt/src/${file}.ts`
const tracker = (file) => `packages/tracker/src/${file}.ts`
const adapter = (file) => `packages/adapter-http/src/${file}.ts`

export const wrongRules = [
  {
    name: "the inner of two areas is entered first",
    file: core("geofence/Fence"),
    right: "sort((a, b) => b.side - a.side)",
    wrong: "sort((a, b) => a.side - b.side)",
    tests: geofence
  },
  {
    name: "the outer of two areas is left first",
    file: core("geofence/Machine"),
    right: "const inner = [...left].reverse()",
    wrong: "const inner = [...left]",
    tests: geofence
  },
  {
    name: "of two fixes one is enough",
    file: core("geofence/Machine"),
    right: "    if (newest - evidence.from > 1) return true\n",
    wrong: "    if (newest - evidence.from > 0) return true\n",
    tests: geofence
  },
  {
    name: "a saved geofence forgets where the phone rests",
    file: core("geofence/Machine"),
    right: "    if (state.rest) this.#rest.restore(state.rest)\n",
    wrong: "",
    tests: geofence
  },
  {
    name: "a saved geofence forgets the sequence",
    file: core("geofence/Machine"),
    right: "    this.#sequence = state.sequence\n",
    wrong: "",
    tests: geofence
  },
  {
    name: "one fix that is too late shows that the clock was set back",
    file: core("geofence/RecentFixes"),
    right: "const AGREEING = 3",
    wrong: "const AGREEING = 1",
    tests: geofence
  },
  {
    name: "the circle of the next check reaches over the border",
    file: core("geofence/Machine"),
    right: "const MEDIAN_REACH = 1.03 * Math.SQRT2",
    wrong: "const MEDIAN_REACH = 0.5",
    tests: geofence
  },
  {
    name: "a phone at rest outside is carried inside by noise",
    file: core("geofence/Machine"),
    right: "      if (distance > restOutside * rest.error) return false\n",
    wrong: "",
    tests: geofence
  },
  {
    name: "the time of a transition is when it was decided",
    file: core("geofence/Machine"),
    right: "        time = times[i]!\n",
    wrong: "",
    tests: geofence
  },
  {
    name: "null island is a place",
    file: core("geofence/Machine"),
    right: "!(latitude === 0 && longitude === 0)",
    wrong: "true",
    tests: geofence
  },
  {
    name: "areas end at the antimeridian, and so does the earth",
    file: core("geofence/metres"),
    right: "degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees",
    wrong: "degrees",
    tests: geofence
  },
  {
    name: "a manager may do what a viewer may not, and a viewer what a manager may",
    file: core("PermissionLevel"),
    right: "viewer: 1, manager: 2, owner: 3",
    wrong: "viewer: 2, manager: 1, owner: 3",
    tests: [rules]
  },
  {
    name: "whoever proves any address takes an invitation over, though they have one",
    file: core("Administrator"),
    right: "if (mail !== undefined && !hasProved) {",
    wrong: "if (mail !== undefined && !(hasProved && holder?.isInvitation !== true)) {",
    tests: [rules]
  },
  {
    name: "an account is taken over as if it were an invitation",
    file: core("Administrator"),
    right: 'if (holder.isInvitation === true) return { _tag: "TakenOver"',
    wrong: 'if (isUnproved(holder)) return { _tag: "TakenOver"',
    tests: [rules]
  },
  {
    name: "in PostgreSQL, what is granted to an invitation is lost with it",
    file: postgres("accounts/invitations"),
    right: "    yield* lockOrganization(db, organization_id)\n",
    wrong: "    break\n",
    tests: [laws]
  },
  {
    name: "a sign-in that was not checked counts as failed",
    file: "packages/core/src/services/SignIns.ts",
    right: ': "not checked"',
    wrong: ': "failed"',
    tests: ["packages/server/test/abuse/signIn.test.ts"]
  },
  {
    name: "one network takes all room for passwords",
    file: "packages/server/src/FairQueue.ts",
    right: "if (longest.length <= own) longest",
    wrong: "if (longest.length > 0) longest",
    tests: ["packages/server/test/passwords.test.ts"]
  },
  {
    name: "a token works at every premises",
    file: core("ExitToken"),
    right: "const signed = bytes.subarray(0, PREMISES_BYTES + LOCATOR_BYTES)",
    wrong: "const signed = bytes.subarray(PREMISES_BYTES, PREMISES_BYTES + LOCATOR_BYTES)",
    tests: [rules]
  },
  {
    name: "the id of an access tells how many stays the service has",
    file: core("ExitToken"),
    right: "const accessId = oldestPrepared.cipher.encrypt",
    wrong: "const accessId = (id: StayId) => id as never",
    tests: [volume]
  },
  {
    name: "two users share an Idempotency-Key",
    file: core("ExitToken"),
    right: ".update(lengthAndText(userId))",
    wrong: "",
    tests: [rules]
  },
  {
    name: "an exit may come before its entrance",
    file: core("Stay"),
    right: "if (exit < stay.entrance)",
    wrong: "if (exit < stay.entrance - 1)",
    tests: [rules]
  },
  {
    name: "five minutes ahead are fifty",
    file: core("Timestamp"),
    right: "LARGEST_LEAD = 5 * 60_000",
    wrong: "LARGEST_LEAD = 50 * 60_000",
    tests: [rules, movements]
  },
  {
    name: "a decided deletion request is decided again",
    file: core("DeletionRequest"),
    right: 'request.status === "pending"',
    wrong: 'request.status !== "approved"',
    tests: [rules]
  },
  {
    name: "a large capacity warns below its part",
    file: core("Capacity"),
    right: "const ROUNDING = 1e-15",
    wrong: "const ROUNDING = 1e-9",
    tests: [rules]
  },
  {
    name: "a warning begins one above a whole number that a product misses",
    file: core("Capacity"),
    right: " * (1 - ROUNDING)",
    wrong: "",
    tests: [rules]
  },
  {
    name: "a level is left a tenth of the capacity below its beginning",
    file: core("Capacity"),
    right: "Math.floor(capacity / 20)",
    wrong: "Math.floor(capacity / 10)",
    tests: [rules]
  },
  {
    name: "a level flaps once it is told",
    file: core("PresenceEvent"),
    right: "nextLevel(capacity, head.level, inside)",
    wrong: 'nextLevel(capacity, "none", inside)',
    tests: [rules]
  },
  {
    name: "a level is told before the change that led to it",
    file: core("PresenceEvent"),
    right: "news: [changed, reached]",
    wrong: "news: [reached, changed]",
    tests: [rules]
  },
  {
    name: "a level is told by the number of people before the change",
    file: core("PresenceEvent"),
    right: "const inside = insideOf(told)",
    wrong: "const inside = insideOf(head)",
    tests: [rules]
  },
  {
    name: "a grain counts from the first event alone",
    file: core("PresenceEvent"),
    right: "toldAt: now }",
    wrong: "toldAt: head.toldAt ?? now }",
    tests: [rules]
  },
  {
    name: "the loopback address may be an authentication server",
    file: core("InternetAddress"),
    right: "[[127, 0, 0, 0], 8]",
    wrong: "[[128, 0, 0, 0], 8]",
    tests: [rules]
  },
  {
    name: "a special address may be an authentication server by 6to4",
    file: core("InternetAddress"),
    right: "[[[0x20, 0x02], 16], 2, 0]",
    wrong: "[[[0x20, 0x02], 16], 12, 0]",
    tests: [rules]
  },
  {
    name: "a special address may be an authentication server by Teredo",
    file: core("InternetAddress"),
    right: "32], 12, 0xff]",
    wrong: "32], 12, 0]",
    tests: [rules]
  },
  {
    name: "a special address may be an authentication server by a local NAT64",
    file: core("InternetAddress"),
    right: "0x00, 0x01], 48]",
    wrong: "0x00, 0x01], 96]",
    tests: [rules]
  },
  {
    name: "the clients of a proxy that writes ports are one client",
    file: adapter("pipeline/clientAddress"),
    right: '.replace(IPV4_WITH_PORT, "$1")',
    wrong: "",
    tests: ["packages/adapter-http/test/clientAddress.test.ts"]
  },
  {
    name: "a client's address may have anything behind its port",
    file: adapter("pipeline/clientAddress"),
    right: "\\](?::\\d{1,5})?$/i",
    wrong: "\\](?::\\d{1,5})?/i",
    tests: ["packages/adapter-http/test/clientAddress.test.ts"]
  },
  {
    name: "in SQL, anonymous organizations have no grain by default",
    file: postgres("feed/feed.sql"),
    right: "case o.tracking_mode when 'anonymous' then 1 else 0 end",
    wrong: "0",
    tests: [laws]
  },
  {
    name: "in SQL, an event is before the event before it",
    file: postgres("feed/feed.sql"),
    right: "greatest(at, max(recorded_at) over feed) as at",
    wrong: "max(recorded_at) over feed as at",
    tests: [laws]
  },
  {
    name: "in SQL, a clock that was ahead holds up events",
    file: postgres("feed/feed.sql"),
    right: "case when ${toldAt} <= $1::timestamptz then",
    wrong: "case when true then",
    tests: [laws]
  },
  {
    name: "in SQL, a warning is told one above where it begins",
    file: postgres("feed/feed.sql"),
    right: "when inside >= warn_from then 3",
    wrong: "when inside > warn_from then 3",
    tests: [laws]
  },
  {
    name: "in SQL, the last event of a feed is forgotten",
    file: postgres("feed/feed.sql"),
    right: "version < coalesce(f.version, 9223372036854775807)",
    wrong: "version <= coalesce(f.version, 9223372036854775807)",
    tests: [laws]
  },
  {
    name: "in SQL, a single exit is told as an entrance as well",
    file: postgres("feed/deltas.sql"),
    right: "`(stayed is null)::int,",
    wrong: "`1,",
    tests: [laws]
  },
  {
    name: "in SQL, an exit is told as an entrance as well",
    file: postgres("feed/deltas.sql"),
    right: "count(*) - count(stayed)",
    wrong: "count(*)",
    tests: [laws]
  },
  {
    name: "in SQL, stays that end together are told as one",
    file: postgres("feed/deltas.sql"),
    right: "select organization_id, place_id, count(*), ${at}",
    wrong: "select organization_id, place_id, 1, ${at}",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, a capacity that is set again loses the level that was held",
    file: postgres("feed/CapacityStore"),
    right: "isSame(capacity, capacityOf(before))",
    wrong: "isSame(capacity, undefined)",
    tests: [laws]
  },
  {
    name: "in SQL, the level above the capacity is not held",
    file: postgres("feed/feed.sql"),
    right: "when 5 then case\n",
    wrong: "when 6 then case\n",
    tests: ["packages/adapter-postgres/test/feed.test.ts"]
  },
  {
    name: "in memory, a delta is told by every call",
    file: memory("feed"),
    right: "  stays.untold = undefined\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in memory, an event is of the moment when it is told",
    file: memory("feed"),
    right: "append(owner, untold.at, news, untold)",
    wrong: "append(owner, now, news, untold)",
    tests: [laws]
  },
  {
    name: "in memory, an event is before the event before it",
    file: memory("feed"),
    right: "Timestamp(Math.max(feed.at, at))",
    wrong: "at",
    tests: [laws]
  },
  {
    name: "in memory, abandoned stays are not told",
    file: memory("StayPolicyStore"),
    right: "record(state, stays, { left: abandoned.length, at: now })",
    wrong: "void state",
    tests: [laws]
  },
  {
    name: "in memory, an erasure is not told",
    file: memory("erasing"),
    right: "record(state, stays, { left: 1, at: now })",
    wrong: "void now",
    tests: [laws]
  },
  {
    name: "in memory, the end of a place tells no delta",
    file: memory("PlaceStore"),
    right: "      tellRecorded(state, owner, stays, now)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in memory, the last event of a feed is forgotten",
    file: memory("PresenceFeed"),
    right: " || i === feed.events.length - 1",
    wrong: " || (i === feed.events.length - 1 && most < 0)",
    tests: [laws]
  },
  {
    name: "in memory, the next tell is announced for the last of the premises that wait",
    file: memory("PresenceFeed"),
    right: "from < nextAt",
    wrong: "from > nextAt",
    tests: [laws]
  },
  {
    name: "in memory, setting a capacity tells no delta first",
    file: memory("CapacityStore"),
    right: "      tellRecorded(state, owner, stays, now)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in memory, a capacity that is set again loses the level that was held",
    file: memory("CapacityStore"),
    right: "isSame(capacity, head.capacity)",
    wrong: "isSame(capacity, head.capacity) && inside < 0",
    tests: [laws]
  },
  {
    name: "an exit leaves the person inside",
    file: memory("State"),
    right: "  if (orgAuthServerId !== undefined) stays.openByPerson.delete(orgAuthServerId)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "a retry opens a second stay",
    file: memory("StayLog"),
    right: "if (Option.isSome(retryKey)) stays.retries.set",
    wrong: "if (Option.isNone(retryKey)) stays.retries.set",
    tests: [laws]
  },
  {
    name: "a person who is inside enters once more",
    file: memory("StayLog"),
    right: "orgAuthServerId === undefined ? undefined : stays.openByPerson.get(orgAuthServerId)",
    wrong: "undefined as ReturnType<typeof stays.openByPerson.get>",
    tests: [laws]
  },
  {
    name: "a deleted organization keeps its name",
    file: memory("DeletionRequestStore"),
    right: "  state.organizationByName.delete(owner.organization.name)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "a removed place is still entered",
    file: memory("PlaceStore"),
    right: "      owner.places.delete(placeId)\n      state.organizationByPlace.delete(placeId)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "two organizations have one name",
    file: memory("OrganizationStore"),
    right: "if (name !== before.name && state.organizationByName.has(name))",
    wrong: "if (name === before.name && state.organizationByName.has(name))",
    tests: [laws]
  },
  {
    name: "mail addresses of another case are other addresses",
    file: core("Mail"),
    right: "mail.toLowerCase()",
    wrong: "mail",
    tests: [rules, laws]
  },
  {
    name: "an identifier's own comma splits it",
    file: adapter("wire/pathList"),
    right: "for (const element of yield* elements(segment)) decoded.push",
    wrong: "for (const element of yield* elements(decodeURIComponent(segment))) decoded.push",
    tests: ["packages/adapter-http/test"]
  },
  {
    name: "anybody is admitted anywhere",
    file: adapter("pipeline/admission"),
    right: "if (!kinds.includes(caller._tag))",
    wrong: "if (kinds.length === 0)",
    tests: [matrix]
  },
  {
    name: "errors tell everybody why",
    file: adapter("pipeline/answer"),
    right: 'if (!wantsProblem(head.headers["accept"])) return HttpBody.empty',
    wrong: "",
    tests: [protocol]
  },
  {
    name: "the shape is checked before the media type",
    file: adapter("pipeline/bodyPreconditions"),
    right: "if (!isExpected(request, endpoint)) return expected(endpoint)",
    wrong: "",
    tests: [protocol]
  },
  {
    name: "an escape in a path stays undecoded",
    file: adapter("pipeline/endpoint"),
    right: 'value.includes("%") ? decodeURIComponent(value) : value',
    wrong: "value",
    tests: [protocol]
  },
  {
    name: "the first piece of a body is taken for all of it",
    file: adapter("pipeline/body"),
    right: "first !== undefined && chunks.length === 1",
    wrong: "first !== undefined",
    tests: ["packages/adapter-http/test/drivers.test.ts"]
  },
  {
    name: "credentials of another scheme are taken for a bearer token",
    file: adapter("pipeline/credentials"),
    right: "/^bearer +([^ ].*)$/i",
    wrong: "/^(?:bearer|basic) +([^ ].*)$/i",
    tests: ["packages/adapter-http/test/drivers.test.ts"]
  },
  {
    name: "a refusal hides the bug that happened besides",
    file: adapter("failure"),
    right: "Cause.hasDies(cause)",
    wrong: "(cause.reasons.length === 0)",
    tests: ["packages/adapter-http/test/refuse.test.ts"]
  },
  {
    name: "backpressure pauses connections without a bound",
    file: "packages/server/src/admission/Backpressure.ts",
    right: "this.resume(later < 0 ? this.paused.length : later)",
    wrong: "void later",
    tests: ["packages/server/test/graceful/backpressure.test.ts"]
  },
  {
    name: "what cannot be encoded is passed off as an empty list",
    file: adapter("api/emptyList"),
    right: "Schema.Undefined.pipe(",
    wrong: "Schema.Unknown.pipe(",
    tests: ["packages/adapter-http/test/availability.test.ts"]
  },
  {
    name: "in SQL, a plan of few stays compares every stay with every exit",
    file: postgres("stays/keys.sql"),
    right: "s.organization_id = any(array[f.organization_id])",
    wrong: "s.organization_id = f.organization_id",
    tests: [plans]
  },
  {
    name: "in SQL, a plan of few stays reads all of them for a list",
    file: postgres("stays/reads.sql"),
    right: "id = a.id and person is null\n  limit 1\n",
    wrong: "id = a.id and person is null\n",
    tests: [plans]
  },
  {
    name: "in SQL, a retried entrance opens another stay",
    file: postgres("stays/stays.sql"),
    right: "coalesce(r.stay_id, s.id) as earlier_id",
    wrong: "s.id as earlier_id",
    tests: [laws]
  },
  {
    name: "in SQL, a retry key stands for its stay for ever",
    file: postgres("stays/stays.sql"),
    right: "and used_at > asked.now - $${p + OPENING.length}::interval",
    wrong: "and $${p + OPENING.length}::interval is not null",
    tests: [laws]
  },
  {
    name: "in SQL, whoever is linked enters as whom they claim to be",
    file: postgres("stays/stays.sql"),
    right: "or l.org_auth_server_id = coalesce(asked.claimed, l.org_auth_server_id))",
    wrong: "or l.org_auth_server_id is not null)",
    tests: [laws]
  },
  {
    name: "in SQL, anybody leaves for anybody",
    file: postgres("stays/stays.sql"),
    right: "    and (s.person is null or f.linked is null or f.linked = s.person)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in SQL, an exit may come before its entrance",
    file: postgres("stays/stays.sql"),
    right: "coalesce(f.linked, s.person, f.claimed))\n    and coalesce(f.exited_at, s.entered_at) >= s.entered_at\n",
    wrong: "coalesce(f.linked, s.person, f.claimed))\n",
    tests: [laws]
  },
  {
    name: "in SQL, an anonymous exit ends any stay",
    file: postgres("stays/anonymous.sql"),
    right: "    and s.person is null\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in SQL, an anonymous entrance is written in an authenticated organization",
    file: postgres("stays/anonymous.sql"),
    right: "case when o.tracking_mode = 'anonymous' and asked.entered_at is not null then nextval",
    wrong: "case when asked.entered_at is not null then nextval",
    tests: [laws]
  },
  {
    name: "in SQL, an anonymous exit may come before its entrance",
    file: postgres("stays/anonymous.sql"),
    right: "    and s.person is null\n    and coalesce(f.exited_at, s.entered_at) >= s.entered_at\n",
    wrong: "    and s.person is null\n",
    tests: [laws]
  },
  {
    name: "in SQL, an anonymous entrance is written in a place that was removed",
    file: postgres("stays/anonymous.sql"),
    right: "  where ${PREMISES_EXIST}\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, an anonymous entrance that was not written is not run again by the identified variant",
    file: postgres("stays/movements"),
    right: "        modes.forget(moving.organizationId)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in SQL, a place is counted with its organization",
    file: postgres("stays/reads.sql"),
    right: "where h.organization_id = asked.organization_id and h.place_id = asked.place_id\n",
    wrong: "where h.organization_id = asked.organization_id\n",
    tests: [laws]
  },
  {
    name: "in SQL, premises are counted for the first who asks and for nobody else",
    file: postgres("stays/reads.sql"),
    right: "partition by organization_id, place_id order by level is null",
    wrong: "order by level is null",
    tests: [laws]
  },
  {
    name: "in SQL, premises are counted for who may not know it",
    file: postgres("stays/reads.sql"),
    right: "order by level is null)",
    wrong: "order by level is not null)",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, whoever knows a place reads its counter",
    file: postgres("stays/counters"),
    right: "Result.isFailure(required) ? Exit.fail(required.failure) : Exit.succeed(inside)",
    wrong: "required === undefined ? Exit.fail(required) : Exit.succeed(inside)",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, whoever knows a place reads the accesses of people there",
    file: postgres("stays/StayReads"),
    right: '    yield* Effect.fromResult(requireLevel(Option.fromNullishOr(first.level), "viewer"))\n',
    wrong: "",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, a user reads the accesses of anybody",
    file: postgres("stays/StayReads"),
    right: "          yield* Effect.fromResult(ownAccesses(asked, Option.fromUndefinedOr(rows[0]?.linked)))\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, a list has the stays of all lists that share its statement",
    file: postgres("stays/listings"),
    right: "found[listing - 1]!.push({",
    wrong: "for (const all of found) all.push({",
    tests: [laws]
  },
  {
    name: "in memory, whoever knows a place reads what happens there",
    file: memory("StayLog"),
    right: '    yield* requireLevel(levelIn(found.owner, administratorId), "viewer")\n',
    wrong: "",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, changes of one organization do not wait for each other",
    file: postgres("database/locks"),
    right: " where id = $1::bigint for no key update",
    wrong: " where id = $1::bigint",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, movements go on while what they are in ends",
    file: postgres("database/locks"),
    right: 'db.run("lock table open_stay in share row exclusive mode", [])',
    wrong: 'db.run("select 1", [])',
    tests: [deletions]
  },
  {
    name: "in PostgreSQL, whoever leaves while a history ends leaves a trace",
    file: postgres("stays/endings"),
    right: "  yield* db.run(END_CROWD, [organizationId, crowd.places, crowd.ids])\n",
    wrong: "",
    tests: [deletions]
  },
  {
    name: "in PostgreSQL, whoever comes and leaves while a history ends leaves a trace",
    file: postgres("stays/endings"),
    right: "  yield* db.run(END_LATER, [...premises, crowd.later])\n",
    wrong: "",
    tests: [deletions]
  },
  {
    name: "in PostgreSQL, whoever enters while a history ends leaves a retry key",
    file: postgres("stays/endings"),
    right: "  yield* db.run(FORGET_REST, premises)\n",
    wrong: "",
    tests: [deletions]
  },
  {
    name: "in PostgreSQL, a history ends with movements on their way that it does not see",
    file: postgres("database/locks"),
    right: "Effect.andThen(stopMovements(db), read)",
    wrong: "read",
    tests: [deletions]
  },
  {
    name: "in PostgreSQL, an address stays with the account that did not prove it",
    file: postgres("accounts/accountChanges"),
    right: "Effect.andThen(freeMail(db, change.displaced), kept)",
    wrong: "kept",
    tests: [laws]
  },
  {
    name: "in memory, an address stays with the account that did not prove it",
    file: memory("accountChanges"),
    right: "if (displaced !== undefined) keepAccount(state, { administratorId: displaced.administratorId })",
    wrong: "",
    tests: [laws]
  },
  {
    name: "an account is bound by an address that an owner wrote down and that is not proved",
    file: core("Administrator"),
    right: "name.administratorId === undefined && isUnproved(account) &&",
    wrong: "name.mail === undefined && isUnproved(account) &&",
    tests: [rules]
  },
  {
    name: "the id of an invitation takes it over without its address",
    file: core("Administrator"),
    right: "known?.isInvitation === true && holder?.administratorId !== administratorId",
    wrong: "known === undefined && holder?.isInvitation === undefined && mail === administratorId",
    tests: [rules]
  },
  {
    name: "an operator cannot register an account with an address that an owner wrote down",
    file: core("Administrator"),
    right: "Option.exists(accounts.byMail, (holder) => !isUnproved(holder))",
    wrong: "Option.isSome(accounts.byMail)",
    tests: [rules]
  },
  {
    name: "the first of two Authorization headers is read",
    file: adapter("pipeline/fieldLines"),
    right: "authorizations > 1",
    wrong: "authorizations > 2",
    tests: ["packages/server/test/protocol.raw.test.ts"]
  },
  {
    name: "a password proves the mail address that an owner wrote down",
    file: "packages/core/src/services/SignIns.ts",
    right: "return Administrator(found.account.administratorId)",
    wrong: "return Administrator(found.account.administratorId, found.account.mail)",
    tests: ["packages/server/test/services/signIns.test.ts"]
  },
  {
    name: "a sign-in gives its turn back while its hash is still computed",
    file: "packages/server/src/Passwords.ts",
    right: "Effect.uninterruptible(derived)",
    wrong: "derived",
    tests: ["packages/server/test/passwords.test.ts"]
  },
  {
    name: "any number of sign-ins wait",
    file: "packages/server/src/FairQueue.ts",
    right: "if (this.#waiting >= this.#capacity &&",
    wrong: "if (this.#waiting < 0 &&",
    tests: ["packages/server/test/passwords.test.ts"]
  },
  {
    name: "in PostgreSQL, a place overlaps itself",
    file: postgres("organizations/areas"),
    right: "const NEAR_RECORDS = `${RECORDS} and id <> $2::bigint and (",
    wrong: "const NEAR_RECORDS = `${RECORDS} and id <> -$2::bigint and (",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, a place that a server of the version before wrote is nowhere",
    file: postgres("organizations/areas"),
    right: "(${IS_MEASURED}) is false\n  or ",
    wrong: "",
    tests: ["packages/adapter-postgres/test/areas.test.ts"]
  },
  {
    name: "in PostgreSQL, a place that is renamed is nowhere known any more",
    file: postgres("organizations/PlaceStore"),
    right: "case when ${IS_MEASURED} then ${THIS_TRANSACTION} end",
    wrong: "area_measured_in",
    tests: [laws]
  },
  {
    name: "areas that changed since they were compared are taken for compared",
    file: core("AreaConstraints"),
    right: "compared.places.get(id) !== version",
    wrong: "!compared.places.has(id)",
    tests: [rules]
  },
  {
    name: "a long text weighs nothing",
    file: core("AreaConstraints"),
    right: "Math.max(pointsOf(area), Math.ceil(utf8ToBytes(area.text).length / BYTES_PER_POINT))",
    wrong: "pointsOf(area)",
    tests: [rules]
  },
  {
    name: "what comes near to a border lies inside for certain",
    file: core("AreaConstraints"),
    right: "const MARGIN = 10 * TOUCHING_DISTANCE",
    wrong: "const MARGIN = 0",
    tests: [rules]
  },
  {
    name: "an area is read before it is known who draws it",
    file: "packages/core/src/services/Places.ts",
    right: "          // Nothing of the area is read for an administrator who may not change it.\n",
    wrong: "          yield* comparisons.read(text)\n",
    tests: ["packages/server/test/services/areas.test.ts"]
  },
  {
    name: "in PostgreSQL, a decision on accounts stands when others were quicker",
    file: postgres("accounts/accounts"),
    right: "if (!isKept) return yield* new WriteConflict()",
    wrong: "if (!isKept) return",
    tests: [laws]
  },
  {
    name: "an item that breaks a batch fails all of it",
    file: postgres("batching/InFlightBatch"),
    right: "return first !== undefined && others.length === 0",
    wrong: "return first !== undefined",
    tests: [batchQueue]
  },
  {
    name: "a failing part of a batch fails the parts before it",
    file: postgres("batching/InFlightBatch"),
    right: "return [...exits, ...[items, ...remaining].flat()",
    wrong: "return [...exits.map(() => Exit.fail(ran.failure)), ...[items, ...remaining].flat()",
    tests: [batchQueue]
  },
  {
    name: "people are inserted in the order of arrival",
    file: postgres("stays/stays.sql"),
    right: "  order by organization_id, place_id, person\n",
    wrong: "",
    tests: [deadlocks]
  },
  {
    name: "retry keys are inserted in the order of arrival",
    file: postgres("stays/stays.sql"),
    right: "  order by organization_id, place_id, retry_key\n",
    wrong: "",
    tests: [deadlocks]
  },
  {
    name: "stopping movements blocks them behind a vacuum",
    file: postgres("database/locks"),
    right: "db.run(`set local lock_timeout = ${wait}`, [])",
    wrong: 'db.run("set local lock_timeout = 60000", [])',
    tests: [stopping]
  },
  {
    name: "a batch runs again although its outcome is unknown",
    file: postgres("database/Database"),
    right: "/^(21|22|23|40)/",
    wrong: "/^(21|22|23|40|)/",
    tests: [batchQueue]
  },
  {
    name: "items with one ordering key run out of order",
    file: postgres("batching/PendingQueue"),
    right: "inFlight.has(orderingKey) || taken.has(orderingKey)",
    wrong: "taken.has(orderingKey)",
    tests: [batchQueue]
  },
  {
    name: "one fairness key takes a whole batch",
    file: postgres("batching/PendingQueue"),
    right: "shareFairly(free, most)",
    wrong: "free.slice(0, most)",
    tests: [batchQueue]
  },
  {
    name: "one fairness key takes the whole queue",
    file: postgres("batching/PendingQueue"),
    right: " || ofItsKey * 2 >= this.capacity",
    wrong: "",
    tests: [batchQueue]
  },
  {
    name: "batches are dispatched beside each other while they are quick",
    file: postgres("batching/BatchQueue"),
    right: "onTime < concurrencyWhenSlow && latency.isSlow && ",
    wrong: "onTime < concurrencyWhenSlow && ",
    tests: [batchQueue]
  },
  {
    name: "a batch with fewer items is dispatched beside others",
    file: postgres("batching/BatchQueue"),
    right: " && pending.size * onTime >= carried",
    wrong: "",
    tests: [batchQueue]
  },
  {
    name: "batches that take long because of their work count as slow",
    file: postgres("batching/BatchQueue"),
    right: "worked += workOf(item, exit)",
    wrong: "worked += USUAL_WORK",
    tests: [batchQueue]
  },
  {
    name: "a token that was verified once is good after its expiry",
    file: jwt("TokenChecks"),
    right: "exp > second - clockSkew && nbf",
    wrong: "nbf",
    tests: [histories]
  },
  {
    name: "a removed key's tokens that were verified once stay good",
    file: jwt("KeySetVerifier"),
    right: "isTimely(now) && keySet.isCurrent(keys, now)",
    wrong: "isTimely(now)",
    tests: [histories]
  },
  {
    name: "tokens that were verified once stay good when the keys are too old",
    file: jwt("KeySet"),
    right: "known?.keys === keys && isFresh(known.since, now)",
    wrong: "known?.keys === keys",
    tests: [histories]
  },
  {
    name: "a verified token is known again by all but its signature",
    file: jwt("TokenCache"),
    right: "const token = Redacted.value(credentials)",
    wrong: 'const token = Redacted.value(credentials).replace(/[^.]*$/, "")',
    tests: [histories]
  },
  {
    name: "verified tokens of any length are kept together",
    file: jwt("TwoGenerationCache"),
    right: " || held + key.length > characters",
    wrong: "",
    tests: verifiedTokens
  },
  {
    name: "a favorite says whom its user claimed to be",
    file: core("Favorite"),
    right: "    orgAuthServerId: Option.getOrUndefined(person)\n",
    wrong: "    orgAuthServerId: claim.orgAuthServerId ?? Option.getOrUndefined(person)\n",
    tests: [rules]
  },
  {
    name: "a favorite is added without holding the link that it names",
    file: postgres("organizations/FavoriteStore"),
    right: "user_id = $2::text for key share`",
    wrong: "user_id = $2::text`",
    tests: [erasures]
  },
  {
    name: "a deletion request keeps the words of whoever was erased",
    file: core("Erasure"),
    right: "  administratorId: ERASED as AdministratorId,\n  reason: undefined\n",
    wrong: "  administratorId: ERASED as AdministratorId\n",
    tests: [rules]
  },
  {
    name: "the ledger counts time that reports never told",
    file: core("ErasureLedger"),
    right: "sum + wholeSeconds(milliseconds)",
    wrong: "sum + milliseconds / 1000",
    tests: [rules]
  },
  {
    name: "in memory, the retries of a person outlive them",
    file: memory("erasing"),
    right: "for (const key of keys) stays.retries.delete(key)",
    wrong: "for (const key of keys) stays.retries.get(key)",
    tests: [laws]
  },
  {
    name: "in SQL, an erasure leaves out a table: entrances that are kept for retries",
    file: postgres("personalData/personalData.sql"),
    right: "delete from entrance_retry where ${THEIRS} returning",
    wrong: "select stay_id from entrance_retry where ${THEIRS} -- returning",
    tests: [erasure]
  },
  {
    name: "in SQL, an erasure leaves out a column: the person of others' permissions",
    file: postgres("personalData/personalData.sql"),
    right: "update permission set org_auth_server_id = null",
    wrong: "update permission set org_auth_server_id = org_auth_server_id",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, an entrance that is being written outlives the erasure of its person",
    file: postgres("personalData/erasing"),
    right: "  if (people.length > 0) yield* stopMovements(db)\n",
    wrong: "",
    tests: [erasures]
  },
  {
    name: "PostgreSQL remembers samples of people's names",
    file: postgres("migrations/0004_personal_data"),
    right: "set statistics 0",
    wrong: "set statistics 100",
    tests: [erasure]
  },
  {
    name: "tokens that have expired stay in memory",
    file: jwt("TokenCache"),
    right: "if (now - sweptAt >= SWEEP_EVERY) sweep(now)",
    wrong: "if (now - sweptAt < 0) sweep(now)",
    tests: verifiedTokens
  },
  {
    name: "an administrator who was erased is taken for known",
    file: adapter("handlers/personalData"),
    right: "        Effect.tap(() => forget),\n",
    wrong: "",
    tests: ["packages/server/test/statuses.personalData.test.ts"]
  },
  {
    name: "a stay policy takes null for what is left out",
    file: core("StayPolicy"),
    right: "change === undefined ? before",
    wrong: "change == null ? before",
    tests: [rules]
  },
  {
    name: "a sweep lease is due at once where a clock runs behind",
    file: core("StayPolicy"),
    right: "Math.abs(now - last) >= every",
    wrong: "now - last >= every || now < last",
    tests: [rules]
  },
  {
    name: "an abandoned person stays inside in memory, by the stay policy",
    file: memory("State"),
    right: "if (orgAuthServerId !== undefined) stays.openByPerson.delete(orgAuthServerId)",
    wrong: "if (orgAuthServerId === undefined) stays.openByPerson.delete(id as never)",
    tests: [laws]
  },
  {
    name: "in SQL, a stay policy counts from the entrance that was claimed",
    file: postgres("policies/policies.sql"),
    right: "recorded_at < bound.edge",
    wrong: "entered_at < bound.edge",
    tests: [laws]
  },
  {
    name: "in SQL, a stay policy abandons by a turn that is over",
    file: postgres("policies/policies.sql"),
    right: "and turn = $2::bigint and",
    wrong: "and turn >= $2::bigint and",
    tests: [laws]
  },
  {
    name: "in SQL, the stay policy's walk of the history stops at the first access that is kept",
    file: postgres("policies/policies.sql"),
    right: "case when bool_and(entered_at < w.edge)",
    wrong: "case when bool_and(exited_at < w.edge)",
    tests: [laws]
  },
  {
    name: "in SQL, the stay policy's walk of the history ends after its first long step",
    file: postgres("policies/policies.sql"),
    right: "then max(id) end as last",
    wrong: "and max(w.step) = 1 then max(id) end as last",
    tests: [laws]
  },
  {
    name: "in SQL, the retention of a stay policy leaves out places",
    file: postgres("policies/policies.sql"),
    right: "select id from place where organization_id = $1::bigint",
    wrong: "select id from place where organization_id = $1::bigint and id < 0",
    tests: [laws]
  },
  {
    name: "in SQL, two servers get a turn of one stay policy",
    file: postgres("policies/policies.sql"),
    right: "turn_taken is null or abs(",
    wrong: "turn_taken is null or 1e12 - abs(",
    tests: [laws]
  },
  {
    name: "a webhook is taken from a server that holds it, in memory",
    file: memory("WebhookStore"),
    right: "(lease === undefined || lease.until <= now) &&",
    wrong: "",
    tests: [laws]
  },
  {
    name: "a webhook is taken from a server that holds it, in PostgreSQL",
    file: postgres("webhooks/WebhookStore"),
    right: "(holder <> $1::text and leased_until <= $3::timestamptz)",
    wrong: "(holder <> $1::text and $3::timestamptz is not null)",
    tests: [laws]
  },
  {
    name: "a server writes the progress of a webhook that it does not hold",
    file: postgres("webhooks/WebhookStore"),
    right: "and holder = $11::text returning id",
    wrong: "and $11::text is not null returning id",
    tests: [laws]
  },
  {
    name: "a webhook counts no other creation of the moment",
    file: postgres("webhooks/WebhookStore"),
    right: "const webhooks = (yield* db.run(LIST, [organizationId])).length",
    wrong: "const webhooks = 0",
    tests: [laws]
  },
  {
    name: "in memory, the feed forgets what no bucket has",
    file: memory("PresenceFeed"),
    right: "rollUp(owner, Infinity)",
    wrong: "rollUp(owner, 0)",
    tests: [laws]
  },
  {
    name: "in memory, buckets of a day hold forgotten minutes alone",
    file: memory("HistoryStore"),
    right: "stays.buckets[step].splice(-1)",
    wrong: "stays.buckets[step].slice(-1)",
    tests: [laws]
  },
  {
    name: "in SQL, time inside counts twice where buckets are merged",
    file: postgres("history/history.sql"),
    right: "- excluded.inside_before *",
    wrong: "- 0 * excluded.inside_before *",
    tests: [laws]
  },
  {
    name: "in SQL, two servers add the same events to the history",
    file: postgres("history/history.sql"),
    right: "where r.version = n.version",
    wrong: "where r.version >= n.version",
    tests: [laws]
  },
  {
    name: "in SQL, a history before the first bucket has those inside who came later",
    file: postgres("history/history.sql"),
    right: "order by began_at\n        limit 1",
    wrong: "order by began_at\n        limit 0",
    tests: [laws]
  },
  {
    name: "a viewer starts a muster",
    file: core("Muster"),
    right: 'requireLevel(level, "manager")',
    wrong: 'requireLevel(level, "viewer")',
    tests: [rules, laws]
  },
  {
    name: "in memory, a muster forgets who came in since and left",
    file: memory("musters"),
    right: "(id > lastStay || stays.has(id))",
    wrong: "(id > lastStay && stays.has(id))",
    tests: [model]
  },
  {
    name: "in memory, a muster keeps nobody whose stay ends without an exit",
    file: memory("musters"),
    right: "if (entry?.since !== undefined) continue",
    wrong: "if (entry?.since !== undefined || since > 0) continue",
    tests: [model]
  },
  {
    name: "in SQL, a muster forgets who came in since and left",
    file: postgres("musters/musters.sql"),
    right: "id > $3::bigint and person is not null",
    wrong: "id > $3::bigint and person is null",
    tests: [laws]
  },
  {
    name: "in SQL, a muster forgets whose place ended",
    file: postgres("musters/musters.sql"),
    right: "and ended_at is null and mode = 'authenticated'",
    wrong: "and ended_at is not null and mode = 'authenticated'",
    tests: [laws]
  },
  {
    name: "in SQL, exits before an anonymous muster count",
    file: postgres("musters/musters.sql"),
    right: "- $2::bigint as exits",
    wrong: "- 0 * $2::bigint as exits",
    tests: [laws]
  },
  {
    name: "a reader of a presence stream has any number of events waiting",
    file: adapter("presence/Subscriber"),
    right: "if (this.events >= MOST_EVENTS || ",
    wrong: "if (",
    tests: [streams]
  },
  {
    name: "the ids of a presence stream do not advance",
    file: adapter("presence/Subscriber"),
    right: "else this.positions.set(organizationId, version)",
    wrong: "",
    tests: [streams]
  },
  {
    name: "a presence stream says again and again that the storage is away",
    file: adapter("presence/Subscriber"),
    right: "if (!this.isStale) this.add(STALE)",
    wrong: "this.add(STALE)",
    tests: [streams]
  },
  {
    name: "readers of a presence stream get the id of another",
    file: adapter("presence/messages"),
    right: "if (message.written?.id !== id) {",
    wrong: "if (message.written === undefined) {",
    tests: ["packages/adapter-http/test/subscriber.test.ts"]
  },
  {
    name: "a presence stream goes on across feeds that were replaced",
    file: adapter("presence/Subscribers"),
    right: 'this.epoch !== "" && epoch !== this.epoch',
    wrong: "false",
    tests: [streams]
  },
  {
    name: "an id of events to come counts as expired, and one of forgotten events as unknown",
    file: adapter("presence/FeedReader"),
    right: "cursor.lost < snapshot.version",
    wrong: "cursor.lost > snapshot.version",
    tests: [streams]
  },
  {
    name: "a presence stream outlives its credentials",
    file: adapter("presence/streamChecks"),
    right: "if (checked.get(credential) === false)",
    wrong: "if (false)",
    tests: [streams]
  },
  {
    name: "there is one presence stream more than the operator allows",
    file: adapter("presence/PresenceHub"),
    right: "all.size >= options.maxSubscribers",
    wrong: "all.size > options.maxSubscribers",
    tests: [streams]
  },
  {
    name: "the query of a presence stream counts for more than its header",
    file: adapter("handlers/stream"),
    right: 'headers["last-event-id"] || query.lastEventId',
    wrong: 'query.lastEventId || headers["last-event-id"]',
    tests: [streamStatuses]
  },
  {
    name: "a presence stream goes on after the permission was withdrawn",
    file: "packages/core/src/services/PresenceSubscriptions.ts",
    right: '? "allowed" : "forbidden"',
    wrong: '? "allowed" : "allowed"',
    tests: [streamStatuses]
  },
  {
    name: "presence streams take places of the requests in flight",
    file: "packages/server/src/admission/AdmissionController.ts",
    right: "    this.inFlight--\n    this.streams.set",
    wrong: "    this.streams.set",
    tests: [streamBounds]
  },
  {
    name: "the tracker sends a movement before it is stored",
    file: tracker("Journal"),
    right: "    return queued\n  }",
    wrong: "    void queued.catch(() => {})\n    return Promise.resolve()\n  }",
    tests: [deliveries]
  },
  {
    name: "the tracker takes a write that failed for one that did not",
    file: tracker("Journal"),
    right: "      unstored = [...written, ...unstored]\n      throw error",
    wrong: "      return",
    tests: [deliveries]
  },
  {
    name: "the tracker does not look what another tab has stored",
    file: tracker("Journal"),
    right: "    if (!isSame(found, known)) adopt(found)",
    wrong: "    if (known.revision === 0 && !isSame(found, known)) adopt(found)",
    tests: [deliveries]
  },
  {
    name: "the tracker writes its state over the one before, which a write that is cut off destroys",
    file: tracker("StoredRecord"),
    right: "setItem(keys[(next % 2) as 0 | 1], text)",
    wrong: "setItem(keys[1], text)",
    tests: [deliveries]
  },
  {
    name: "the tracker makes another key for each attempt of an entrance",
    file: tracker("delivery"),
    right: "-${sequence}`",
    wrong: "-${sequence}-${platform.random()}`",
    tests: [deliveries]
  },
  {
    name: "the tracker decides the time of an exit anew for each attempt",
    file: tracker("delivery"),
    right: "await request(waiting, sent)",
    wrong: "await request(waiting, correct(waiting))",
    tests: [deliveries]
  },
  {
    name: "the tracker takes 500 for a refusal",
    file: tracker("delivery"),
    right: "status >= 500",
    wrong: "status === 503",
    tests: [deliveries]
  },
  {
    name: "the tracker takes 408 for a refusal",
    file: tracker("delivery"),
    right: "status === 408 || ",
    wrong: "",
    tests: [deliveries]
  },
  {
    name: "the tracker takes 429 for a refusal",
    file: tracker("delivery"),
    right: "status === 408 || status === 429",
    wrong: "status === 408",
    tests: [deliveries]
  },
  {
    name: "the tracker keeps a token that the server has refused",
    file: tracker("connection"),
    right: "if (answer.status !== 401) return answer",
    wrong: "if (answer.status !== 0) return answer",
    tests: [deliveries]
  },
  {
    name: "the tracker takes the page of a network for the answer to an exit",
    file: tracker("delivery"),
    right: "if (isHtml) return waitForServer()",
    wrong: "",
    tests: ["packages/tracker/test/createTracker.test.ts"]
  },
  {
    name: "the tracker sends the times of a clock that is wrong",
    file: tracker("serverClock"),
    right: "Math.abs(offset) > TOLERANCE ? time + offset : time",
    wrong: "Math.abs(offset) > 1e12 ? time + offset : time",
    tests: [deliveries]
  },
  {
    name: "the tracker drops a movement whose answer was lost",
    file: tracker("delivery"),
    right: "      const outcome = await settle(waiting, await request(waiting, sent), sent)",
    wrong:
      "      const lost = { status: 400, json: undefined, isHtml: false, date: undefined, retryAfter: undefined }\n      const outcome = await settle(waiting, await request(waiting, sent).catch(() => lost), sent)",
    tests: [deliveries]
  }
]

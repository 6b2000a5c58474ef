/**
 * Planted faults in rules and adapters: what is wrong, and the change of the source as `git diff --word-diff` writes it, with
 * what is taken out in [-...-] and what is put in in {+...+}. The text before the change must occur in the file exactly once, so
 * that a moved rule is detected, and some test of the group must fail. For core's `domain/` and
 * `services/` this list has only faults that Stryker (`npm run mutation`) cannot make by changing conditions and operators.
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

const planted = (file, tests, faults) =>
  Object.entries(faults).map(([name, change]) => ({
    name,
    file,
    right: change.replaceAll(/\{\+.*?\+\}/gs, "").replaceAll(/\[-|-\]/g, ""),
    wrong: change.replaceAll(/\[-.*?-\]/gs, "").replaceAll(/\{\+|\+\}/g, ""),
    tests: [tests].flat()
  }))

export const wrongRules = [
  planted(core("geofence/Fence"), geofence, {
    "the inner of two areas is entered first": "sort((a, b) => [-b.side - a-]{+a.side - b+}.side)"
  }),
  planted(core("geofence/crossings"), geofence, {
    "the outer of two areas is left first": "const inner = [...left][-.reverse()-]",
    "the time of a transition is when it was decided": "[-      time = times[i]!\n-]"
  }),
  planted(core("geofence/entrances"), geofence, {
    "of two fixes one is enough": "  if (newest - evidence.from > [-1-]{+0+}) return true\n",
    "a phone at rest outside is carried inside by noise":
      "[-    if (distance > restOutside * rest.error) return false\n-]"
  }),
  planted(core("geofence/Machine"), geofence, {
    "a saved geofence forgets where the phone rests": "[-    if (state.rest) rest.restore(state.rest)\n-]",
    "a saved geofence forgets the sequence": "[-    this.#sequence = state.sequence\n-]",
    "the circle of the next check reaches over the border": "const MEDIAN_REACH = [-1.03 * Math.SQRT2-]{+0.5+}",
    "null island is a place": "[-!(latitude === 0 && longitude === 0)-]{+true+}"
  }),
  planted(core("geofence/RecentFixes"), geofence, {
    "one fix that is too late shows that the clock was set back": "const AGREEING = [-3-]{+1+}"
  }),
  planted(core("geofence/metres"), geofence, {
    "areas end at the antimeridian, and so does the earth":
      "degrees[- > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees-]"
  }),
  planted(core("PermissionLevel"), [rules], {
    "a manager may do what a viewer may not, and a viewer what a manager may":
      "viewer: [-1, manager: 2-]{+2, manager: 1+}, owner: 3"
  }),
  planted(core("Administrator"), [rules], {
    "an administrator who proves any address takes an invitation over, though they have one":
      "if (mail !== undefined && ![-hasProved-]{+(hasProved && holder?.isInvitation !== true)+}) {",
    "an account is taken over as if it were an invitation":
      'if ([-holder.isInvitation === true-]{+isUnproved(holder)+}) return { _tag: "TakenOver"',
    "an account is bound by an address that an owner wrote down and that is not proved":
      "name.[-administratorId-]{+mail+} === undefined && isUnproved(account) &&",
    "the id of an invitation takes it over without its address":
      "known[-?.isInvitation === true && holder?.administratorId !-]{+ === undefined && holder?.isInvitation === undefined && mail =+}== administratorId",
    "an operator cannot register an account with an address that an owner wrote down":
      "Option.[-exists(accounts.byMail, (holder) => !isUnproved(holder))-]{+isSome(accounts.byMail)+}"
  }),
  planted(postgres("accounts/invitations"), [laws], {
    "in PostgreSQL, what is granted to an invitation is lost with it":
      "    [-yield* lockOrganization(db, organization_id)-]{+break+}\n"
  }),
  planted("packages/core/src/services/SignIns.ts", ["packages/server/test/abuse/signIn.test.ts"], {
    "a sign-in that was not checked counts as failed": ': "[-not checked-]{+failed+}"'
  }),
  planted("packages/core/src/services/SignIns.ts", ["packages/server/test/services/signIns.test.ts"], {
    "a password proves the mail address that an owner wrote down":
      "return Administrator(found.account.administratorId{+, found.account.mail+})"
  }),
  planted("packages/server/src/FairQueue.ts", ["packages/server/test/passwords.test.ts"], {
    "one network fills the queue of passwords": "if (longest.length [-<= own-]{+> 0+}) longest",
    "any number of sign-ins wait": "if (this.#waiting [->= this.#capacity-]{+< 0+} &&"
  }),
  planted(core("ExitToken"), [rules], {
    "a token works at every premises":
      "const signed = bytes.subarray([-0-]{+PREMISES_BYTES+}, PREMISES_BYTES + LOCATOR_BYTES)",
    "two users share an Idempotency-Key": "[-.update(lengthAndText(userId))-]"
  }),
  planted(core("ExitToken"), [volume], {
    "the id of an access tells how many stays the service has":
      "const accessId = [-oldestPrepared.cipher.encrypt-]{+(id: StayId) => id as never+}"
  }),
  planted(core("Stay"), [rules], {
    "an exit may come before its entrance": "if (exit < stay.entrance{+ - 1+})"
  }),
  planted(core("Timestamp"), [rules, movements], {
    "five minutes ahead are fifty": "LARGEST_LEAD = [-5-]{+50+} * 60_000"
  }),
  planted(core("DeletionRequest"), [rules], {
    "a decided deletion request is decided again": 'request.status [-=== "pending"-]{+!== "approved"+}'
  }),
  planted(core("Capacity"), [rules], {
    "a large capacity warns below its part": "const ROUNDING = 1e-[-15-]{+9+}",
    "a warning begins one above a whole number that a product misses": "[- * (1 - ROUNDING)-]",
    "a level is left a tenth of the capacity below its beginning": "Math.floor(capacity / [-20-]{+10+})"
  }),
  planted(core("PresenceEvent"), [rules], {
    "a level flaps once it is told": 'nextLevel(capacity, [-head.level-]{+"none"+}, inside)',
    "a level is told before the change that led to it": "news: [[-changed, reached-]{+reached, changed+}]",
    "a level is told by the number of people before the change": "const inside = insideOf([-told-]{+head+})",
    "a grain counts from the first event alone": "toldAt: {+head.toldAt ?? +}now }",
    "a capacity that is set again loses the level that was held": "[-isSame(capacity, head.capacity) || -](isWaiting",
    "the level of a capacity does not wait for the grain": "[- || (isWaiting && capacity !== undefined)-]"
  }),
  planted(core("InternetAddress"), [rules], {
    "the loopback address may be an authentication server": "[[[-127-]{+128+}, 0, 0, 0], 8]",
    "a special address may be an authentication server by 6to4": "[[[0x20, 0x02], 16], [-2-]{+12+}, 0]",
    "a special address may be an authentication server by Teredo": "32], 12, [-0xff-]{+0+}]",
    "a special address may be an authentication server by a local NAT64": "0x00, 0x01], [-48-]{+96+}]"
  }),
  planted(adapter("pipeline/clientAddress"), ["packages/adapter-http/test/clientAddress.test.ts"], {
    "the clients of a proxy that writes ports are one client": '[-.replace(IPV4_WITH_PORT, "$1")-]',
    "a client's address may have anything behind its port": "\\](?::\\d{1,5})?[-$-]/i"
  }),
  planted(postgres("feed/feed.sql"), [laws], {
    "in SQL, anonymous organizations have no grain by default":
      "[-case o.tracking_mode when 'anonymous' then 1 else 0 end-]{+0+}",
    "in SQL, an event is before the event before it":
      "[-greatest(at, max(recorded_at) over feed)-]{+max(recorded_at) over feed+} as at",
    "in SQL, a clock that was ahead holds up events":
      "case when [-${toldAt} <= $1::timestamptz + ${grain}-]{+true+} then",
    "in SQL, servers whose clocks differ a little do not keep the grain":
      "case when ${toldAt} <= $1::timestamptz [-+ ${grain} -]then",
    "in SQL, all events have the time of a clock that was ahead, until that time":
      "[-case when f.at <= $1::timestamptz + ${CLOCK_DIFFERENCE} then f.at end as -]{+f.+}at",
    "in SQL, forgetting skips an event of a clock that was ahead": "where [-e.is_old-]{+true+}",
    "in SQL, a warning is told one above where it begins": "when inside >[-=-] warn_from then 3",
    "in SQL, the last event of a feed is forgotten": "version <{+=+} coalesce(f.version, 9223372036854775807)"
  }),
  planted(postgres("feed/feed.sql"), [laws], {
    "in SQL, one tell puts its premises in the order of their ids": "order by [-recorded_at, -]place_id, kind desc"
  }),
  planted(postgres("migrations/0009_presence_feed"), ["packages/adapter-postgres/test/migrated.test.ts"], {
    "in a migrated database, movements are recorded twice": "'presence_delta') > [-0-]{+4+}"
  }),
  planted(postgres("feed/feed.sql"), ["packages/adapter-postgres/test/feed.test.ts"], {
    "in SQL, the level above the capacity is not held": "when [-5-]{+6+} then case\n",
    "in SQL, deltas are told before the head of their premises has begun":
      "h.place_id and h.[-has_begun and h.-]tellable is null",
    "in SQL, the head of a place that has ended begins again": "    limit 1\n[-    for key share\n-]"
  }),
  planted(postgres("feed/deltas.sql"), [laws], {
    "in SQL, a single exit is told as an entrance as well": "`[-(stayed is null)::int-]{+1+},",
    "in SQL, an exit is told as an entrance as well": "count(*)[- - count(stayed)-]",
    "in SQL, stays that end together are told as one": "select organization_id, place_id, [-count(*)-]{+1+}, ${at}"
  }),
  planted(postgres("feed/CapacityStore"), [laws], {
    "in PostgreSQL, setting a capacity ignores the grain": "if ([-isDue-]{+true+}) yield* tellPremises",
    "in PostgreSQL, a level is of a capacity that was set before": "capacity: [-capacityOf(row)-]{+undefined+},\n"
  }),
  planted(memory("feed"), [laws], {
    "in memory, a delta is told by every call": "[-  stays.untold = undefined\n-]",
    "in memory, an event is of the moment when it is told": "append(owner, [-untold.at-]{+now+}, now, news, untold)",
    "in memory, an event is before the event before it": "[-eventAt(feed.at, at, now)-]{+at+}"
  }),
  planted(memory("StayPolicyStore"), [laws], {
    "in memory, abandoned stays are not told":
      "[-record(state, stays, { left: abandoned.length, at: now })-]{+void state+}"
  }),
  planted(memory("erasing"), [laws], {
    "in memory, an erasure is not told": "[-record(state, stays, { left: 1, at: now })-]{+void now+}",
    "in memory, the retries of a person outlive them": "for (const key of keys) stays.retries.[-delete-]{+get+}(key)"
  }),
  planted(memory("PlaceStore"), [laws], {
    "in memory, the end of a place tells no delta": "[-      tellRecorded(state, owner, stays, now)\n-]",
    "a removed place is still entered":
      "[-      owner.places.delete(placeId)\n      state.organizationByPlace.delete(placeId)\n-]"
  }),
  planted(postgres("feed/PresenceFeed"), [laws], {
    "in PostgreSQL, a position before forgotten events is nearest to the last event":
      "Number(first.version)[- - 1-] : last"
  }),
  planted(memory("PresenceFeed"), [laws], {
    "in memory, the last event of a feed is forgotten":
      " || [-i === feed.events.length - 1-]{+(i === feed.events.length - 1 && most < 0)+}",
    "in memory, the next tell is announced for the last of the premises that wait": "from [-<-]{+>+} nextAt",
    "in memory, the feed forgets what no bucket has": "rollUp(owner, [-Infinity-]{+0+})"
  }),
  planted(memory("CapacityStore"), [laws], {
    "in memory, setting a capacity tells no delta first": "[-<=-]{+<+} now) tellRecorded(state, owner, stays, now)",
    "in memory, setting a capacity ignores the grain":
      "[-if (tellableFrom(stays.head, grain, now) <= now) -]tellRecorded(state, owner, stays, now)"
  }),
  planted(memory("State"), [laws], {
    "an exit leaves the person inside":
      "[-  if (orgAuthServerId !== undefined) stays.openByPerson.delete(orgAuthServerId)\n-]",
    "an abandoned person stays inside in memory, by the stay policy":
      "if (orgAuthServerId [-!== undefined) stays.openByPerson.delete(orgAuthServerId-]{+=== undefined) stays.openByPerson.delete(id as never+})"
  }),
  planted(memory("StayLog"), [laws], {
    "a retry opens a second stay": "if (Option.[-isSome-]{+isNone+}(retryKey)) stays.retries.set",
    "a person who is inside enters once more":
      "[-orgAuthServerId === undefined ? undefined : stays.openByPerson.get(orgAuthServerId)-]{+undefined as ReturnType<typeof stays.openByPerson.get>+}",
    "in memory, an administrator without a permission reads what happens at a place":
      '[-    yield* requireLevel(levelIn(found.owner, administratorId), "viewer")\n-]'
  }),
  planted(memory("DeletionRequestStore"), [laws], {
    "a deleted organization keeps its name": "[-  state.organizationByName.delete(owner.organization.name)\n-]"
  }),
  planted(memory("OrganizationStore"), [laws], {
    "two organizations have one name": "if (name [-!-]{+=+}== before.name && state.organizationByName.has(name))"
  }),
  planted(core("Mail"), [rules, laws], {
    "mail addresses of another case are other addresses": "mail[-.toLowerCase()-]"
  }),
  planted(adapter("wire/pathList"), ["packages/adapter-http/test"], {
    "an identifier's own comma splits it":
      "for (const element of yield* elements([-segment-]{+decodeURIComponent(segment)+})) decoded.push"
  }),
  planted(adapter("pipeline/admission"), [matrix], {
    "every kind of caller is admitted everywhere": "if ([-!kinds.includes(caller._tag)-]{+kinds.length === 0+})"
  }),
  planted(adapter("pipeline/answer"), [protocol], {
    "errors tell why, though the client asks for no problem document":
      '[-if (!wantsProblem(head.headers["accept"])) return HttpBody.empty-]'
  }),
  planted(adapter("pipeline/bodyPreconditions"), [protocol], {
    "the shape is checked before the media type": "[-if (!isExpected(request, endpoint)) return expected(endpoint)-]"
  }),
  planted(adapter("pipeline/endpoint"), ["packages/server/test/statuses.area.test.ts"], {
    "a form that is no UTF-8 is changed":
      "[-      if (!isWellEscaped(text as string)) return Effect.fail(badlyEscaped)\n-]"
  }),
  planted(adapter("pipeline/endpoint"), ["packages/adapter-http/test/client.test.ts"], {
    "an escape in a path stays undecoded": 'value[-.includes("%") ? decodeURIComponent(value) : value-]'
  }),
  planted(adapter("pipeline/body"), ["packages/adapter-http/test/drivers.test.ts"], {
    "the first piece of a body is taken for all of it": "first !== undefined[- && chunks.length === 1-]"
  }),
  planted(adapter("pipeline/credentials"), ["packages/adapter-http/test/credentials.test.ts"], {
    "credentials of another scheme are taken for a bearer token": "/^[-bearer-]{+(?:bearer|basic)+} +([^ ].*)$/i"
  }),
  planted(adapter("failure"), ["packages/adapter-http/test/refuse.test.ts"], {
    "a refusal hides the bug that happened besides": "[-Cause.hasDies(cause)-]{+(cause.reasons.length === 0)+}"
  }),
  planted("packages/server/src/admission/Backpressure.ts", ["packages/server/test/graceful/backpressure.test.ts"], {
    "backpressure pauses connections without a bound":
      "[-this.resume(later < 0 ? this.paused.length : later)-]{+void later+}"
  }),
  planted(adapter("pipeline/jsonEncoder"), ["packages/adapter-http/test/jsonEncoder.test.ts"], {
    "what cannot be encoded is passed off as an empty list":
      'if (member === undefined) [-throw new NotEncodable("")-]{+return { status: 204, json: undefined }+}'
  }),
  planted(postgres("stays/keys.sql"), [plans], {
    "in SQL, a plan of few stays compares every stay with every exit":
      "s.organization_id = [-any(array[f.organization_id])-]{+f.organization_id+}"
  }),
  planted(postgres("stays/reads.sql"), [plans], {
    "in SQL, a plan of few stays reads all of them for a list": "id = a.id and person is null\n[-  limit 1\n-]"
  }),
  planted(postgres("stays/reads.sql"), [laws], {
    "in SQL, a place is counted with its organization":
      "where h.organization_id = asked.organization_id[- and h.place_id = asked.place_id-]\n",
    "in SQL, premises are counted for the first request of a batch alone":
      "[-partition by organization_id, place_id -]order by level is null",
    "in SQL, premises are counted for who may not know it": "order by level is {+not +}null)"
  }),
  planted(postgres("stays/stays.sql"), [laws], {
    "an exit without a time ends a stay of a person before it began, in SQL":
      "coalesce(f.exited_at, [-greatest(f.now, s.entered_at)-]{+f.now+}) as exited_at",
    "in SQL, a retried entrance opens another stay": "[-coalesce(r.stay_id, s.id)-]{+s.id+} as earlier_id",
    "in SQL, a retry key stands for its stay for ever":
      "and [-used_at > asked.now - $${p + OPENING.length}::interval-]{+$${p + OPENING.length}::interval is not null+}",
    "in SQL, a linked user enters as the person they claim to be":
      "or l.org_auth_server_id [-= coalesce(asked.claimed, l.org_auth_server_id)-]{+is not null+})",
    "in SQL, a user ends the stay of another person":
      "[-    and (s.person is null or f.linked is null or f.linked = s.person)\n-]",
    "in SQL, an exit may come before its entrance":
      "coalesce(f.linked, s.person, f.claimed))\n[-    and coalesce(f.exited_at, s.entered_at) >= s.entered_at\n-]"
  }),
  planted(postgres("stays/stays.sql"), [deadlocks], {
    "people are inserted in the order of arrival": "[-  order by organization_id, place_id, person\n-]",
    "retry keys are inserted in the order of arrival": "[-  order by organization_id, place_id, retry_key\n-]"
  }),
  planted(postgres("stays/anonymous.sql"), [laws], {
    "in SQL, an anonymous exit ends any stay": "[-    and s.person is null\n-]",
    "in SQL, an anonymous entrance is written in an authenticated organization":
      "case when [-o.tracking_mode = 'anonymous' and -]asked.entered_at is not null then nextval",
    "in SQL, a single anonymous exit ends any stay": "[-    and person is null\n-]",
    "in SQL, a single anonymous exit may come before its entrance":
      "[-    and coalesce($4::timestamptz, entered_at) >= entered_at\n-]",
    "in SQL, a single anonymous entrance is written in an authenticated organization":
      " and [-tracking_mode = 'anonymous' and -]$4",
    "in SQL, a single anonymous entrance is written in a place that was removed":
      "[-\n    and ($2::bigint = 0 or exists (select from place where organization_id = $1::bigint and id = $2::bigint))-]",
    "in SQL, a single anonymous entrance is not told": "select id, $2::bigint, [-1-]{+0+}, $5::timestamptz",
    "in SQL, a single anonymous exit is told without its duration":
      "place_id, 1, 1, [-(extract(epoch from exited_at - entered_at) * 1000)::bigint-]{+0+}, $5",
    "in SQL, an anonymous exit may come before its entrance":
      "    and s.person is null\n[-    and coalesce(f.exited_at, s.entered_at) >= s.entered_at\n-]",
    "in SQL, an anonymous entrance is written in a place that was removed": "[-  where ${PREMISES_EXIST}\n-]"
  }),
  planted(postgres("stays/movements"), [laws], {
    "in PostgreSQL, an anonymous entrance that was not written is not run again by the identified variant":
      "[-        modes.forget(moving.organizationId)\n-]"
  }),
  planted(postgres("stays/counters"), [laws], {
    "in PostgreSQL, an administrator without a permission reads the counter of a place":
      "[-Result.isFailure(required) ? Exit.fail(required.failure)-]{+required === undefined ? Exit.fail(required)+} : Exit.succeed(inside)"
  }),
  planted(postgres("stays/StayReads"), [laws], {
    "in PostgreSQL, an administrator without a permission reads the accesses of people at a place":
      '[-    yield* Effect.fromResult(requireLevel(Option.fromNullishOr(first.level), "viewer"))\n-]',
    "in PostgreSQL, a user reads the accesses of other people":
      "[-          yield* Effect.fromResult(ownAccesses(asked, Option.fromUndefinedOr(rows[0]?.linked)))\n-]"
  }),
  planted(postgres("stays/listings"), [laws], {
    "in PostgreSQL, a list has the stays of all lists that share its statement":
      "[-found[listing - 1]!-]{+for (const all of found) all+}.push({"
  }),
  planted(postgres("database/locks"), [laws], {
    "in PostgreSQL, changes of one organization do not wait for each other":
      " where id = $1::bigint[- for no key update-]"
  }),
  planted(postgres("database/locks"), [deletions], {
    "in PostgreSQL, movements go on while what they are in ends":
      'db.run("[-lock table open_stay in share row exclusive mode-]{+select 1+}", [])',
    "in PostgreSQL, a history ends with movements on their way that it does not see":
      "[-Effect.andThen(stopMovements(db), read)-]{+read+}"
  }),
  planted(postgres("database/locks"), [stopping], {
    "stopping movements blocks them behind a vacuum":
      'db.run([-`set local lock_timeout = ${wait}`-]{+"set local lock_timeout = 60000"+}, [])'
  }),
  planted(postgres("stays/endings"), [deletions], {
    "in PostgreSQL, a person who leaves while a history ends leaves a trace":
      "[-  yield* db.run(END_CROWD, [organizationId, crowd.places, crowd.ids])\n-]",
    "in PostgreSQL, a person who comes and leaves while a history ends leaves a trace":
      "[-  yield* db.run(END_LATER, [...premises, crowd.later])\n-]",
    "in PostgreSQL, a person who enters while a history ends leaves a retry key":
      "[-  yield* db.run(FORGET_REST, premises)\n-]"
  }),
  planted(postgres("accounts/accountChanges"), [laws], {
    "in PostgreSQL, an address stays with the account that did not prove it":
      "[-Effect.andThen(freeMail(db, change.displaced), kept)-]{+kept+}"
  }),
  planted(memory("accountChanges"), [laws], {
    "in memory, an address stays with the account that did not prove it":
      "[-if (displaced !== undefined) keepAccount(state, { administratorId: displaced.administratorId })-]"
  }),
  planted(adapter("pipeline/fieldLines"), ["packages/server/test/protocol.raw.test.ts"], {
    "the first of two Authorization headers is read": "authorizations > [-1-]{+2+}"
  }),
  planted("packages/server/src/Passwords.ts", ["packages/server/test/passwords.test.ts"], {
    "a sign-in gives its turn back while its hash is still computed": "[-Effect.uninterruptible(derived)-]{+derived+}"
  }),
  planted(postgres("organizations/areas"), [laws], {
    "in PostgreSQL, a place overlaps itself": "const NEAR_RECORDS = `${RECORDS} and id <> {+-+}$2::bigint and ("
  }),
  planted(postgres("organizations/areas"), ["packages/adapter-postgres/test/areas.test.ts"], {
    "in PostgreSQL, a place that a server of the version before wrote is nowhere":
      "[-(${IS_MEASURED}) is false\n  or -]"
  }),
  planted(postgres("organizations/PlaceStore"), [laws], {
    "in PostgreSQL, a place that is renamed is nowhere known any more":
      "[-case when ${IS_MEASURED} then ${THIS_TRANSACTION} end-]{+area_measured_in+}"
  }),
  planted(core("AreaConstraints"), [rules], {
    "areas that changed since they were compared are taken for compared":
      "[-compared.places.get(id) !== version-]{+!compared.places.has(id)+}",
    "a long text weighs nothing":
      "[-Math.max(pointsOf(area), Math.ceil(utf8ToBytes(area.text).length / BYTES_PER_POINT))-]{+pointsOf(area)+}",
    "a position near a border lies inside for certain": "const MARGIN = [-10 * TOUCHING_DISTANCE-]{+0+}"
  }),
  planted("packages/core/src/services/Places.ts", ["packages/server/test/services/areas.test.ts"], {
    "an area is read before it is known who draws it":
      "          [-// Nothing of the area is read for an administrator who may not change it.-]{+yield* comparisons.read(text)+}\n"
  }),
  planted(postgres("accounts/accounts"), [laws], {
    "in PostgreSQL, a decision on accounts stands when others were quicker":
      "if (!isKept) return[- yield* new WriteConflict()-]"
  }),
  planted(postgres("batching/InFlightBatch"), [batchQueue], {
    "an item that breaks a batch fails all of it": "return first !== undefined[- && others.length === 0-]",
    "a failing part of a batch fails the parts before it":
      "return [...exits{+.map(() => Exit.fail(ran.failure))+}, ...[items, ...remaining].flat()"
  }),
  planted(postgres("database/Database"), [batchQueue], {
    "a batch runs again although its outcome is unknown": "/^(21|22|23|40{+|+})/"
  }),
  planted(postgres("batching/PendingQueue"), [batchQueue], {
    "items with one ordering key run out of order": "[-inFlight.has(orderingKey) || -]taken.has(orderingKey)",
    "one fairness key takes a whole batch": "[-shareFairly(free-]{+free.slice(0+}, most)",
    "one fairness key takes the whole queue": "[- || ofItsKey * 2 >= this.capacity-]"
  }),
  planted(postgres("batching/BatchQueue"), [batchQueue], {
    "batches are dispatched beside each other while they are quick":
      "onTime < concurrencyWhenSlow && [-latency.isSlow && -]",
    "a batch with fewer items is dispatched beside others": "[- && pending.size * onTime >= carried-]",
    "batches that take long because of their work count as slow": "worked += [-workOf(item, exit)-]{+USUAL_WORK+}"
  }),
  planted(jwt("TokenChecks"), [histories], {
    "a token that was verified once is good after its expiry": "[-exp > second - clockSkew && -]nbf"
  }),
  planted(jwt("KeySetVerifier"), [histories], {
    "a removed key's tokens that were verified once stay good": "isTimely(now)[- && keySet.isCurrent(keys, now)-]"
  }),
  planted(jwt("KeySet"), [histories], {
    "tokens that were verified once stay good when the keys are too old":
      "known?.keys === keys[- && isFresh(known.since, now)-]"
  }),
  planted(jwt("TokenCache"), [histories], {
    "a verified token is known again by all but its signature":
      'const token = Redacted.value(credentials){+.replace(/[^.]*$/, "")+}'
  }),
  planted(jwt("TokenCache"), verifiedTokens, {
    "tokens that have expired stay in memory": "if (now - sweptAt [->= SWEEP_EVERY-]{+< 0+}) sweep(now)"
  }),
  planted(jwt("TwoGenerationCache"), verifiedTokens, {
    "verified tokens of any length are kept together": "[- || held + key.length > characters-]"
  }),
  planted(core("Favorite"), [rules], {
    "a favorite says whom its user claimed to be":
      "    orgAuthServerId: {+claim.orgAuthServerId ?? +}Option.getOrUndefined(person)\n"
  }),
  planted(postgres("organizations/FavoriteStore"), [erasures], {
    "a favorite is added without holding the link that it names": "user_id = $2::text[- for key share-]`"
  }),
  planted(core("Erasure"), [rules], {
    "a deletion request keeps the words of an erased administrator":
      "  administratorId: ERASED as AdministratorId[-,\n  reason: undefined-]\n"
  }),
  planted(core("ErasureLedger"), [rules], {
    "the ledger counts time that reports never told": "sum + [-wholeSeconds(milliseconds)-]{+milliseconds / 1000+}"
  }),
  planted(postgres("personalData/personalData.sql"), [erasure], {
    "in SQL, an erasure leaves out a table: entrances that are kept for retries":
      "[-delete from entrance_retry where ${THEIRS}-]{+select stay_id from entrance_retry where ${THEIRS} --+} returning"
  }),
  planted(postgres("personalData/personalData.sql"), [laws], {
    "in SQL, an erasure leaves out a column: the person of others' permissions":
      "update permission set org_auth_server_id = [-null-]{+org_auth_server_id+}"
  }),
  planted(postgres("personalData/erasing"), [erasures], {
    "in PostgreSQL, an entrance that is being written outlives the erasure of its person":
      "[-  if (people.length > 0) yield* stopMovements(db)\n-]"
  }),
  planted(postgres("migrations/0004_personal_data"), [erasure], {
    "PostgreSQL remembers samples of people's names": "set statistics [-0-]{+100+}"
  }),
  planted(adapter("handlers/personalData"), ["packages/server/test/statuses.personalData.test.ts"], {
    "an administrator who was erased is taken for known": "[-        Effect.tap(() => forget),\n-]"
  }),
  planted(core("StayPolicy"), [rules], {
    "a stay policy takes null for what is left out": "change ==[-= undefined-]{+ null+} ? before",
    "a sweep lease is due at once where a clock runs behind":
      "[-Math.abs(now - last) >= every-]{+now - last >= every || now < last+}"
  }),
  planted(postgres("policies/policies.sql"), [laws], {
    "in SQL, a stay policy counts from the entrance that was claimed": "[-recorded_at-]{+entered_at+} < bound.edge",
    "in SQL, a stay policy abandons by a turn that is over": "and turn {+>+}= $2::bigint and",
    "in SQL, the stay policy's walk of the history stops at the first access that is kept":
      "case when bool_and([-entered_at-]{+exited_at+} < w.edge)",
    "in SQL, the stay policy's walk of the history ends after its first long step":
      "{+and max(w.step) = 1 +}then max(id) end as last",
    "in SQL, the retention of a stay policy leaves out places":
      "select id from place where organization_id = $1::bigint{+ and id < 0+}",
    "in SQL, two servers get a turn of one stay policy": "turn_taken is null or {+1e12 - +}abs("
  }),
  planted(memory("WebhookStore"), [laws], {
    "a webhook is taken from a server that holds it, in memory": "[-(lease === undefined || lease.until <= now) &&-]"
  }),
  planted(postgres("webhooks/recording"), [laws], {
    "a server writes the progress of a webhook that it does not hold": "on w.id = r.id[- and w.holder = r.holder-]"
  }),
  planted("packages/core/src/services/AttemptLimiter.ts", "packages/core/test/services/AttemptLimiter.test.ts", {
    "a dead receiver counts until its attempt ends":
      "[-Effect.timeoutOption(Fiber.await(fiber), COUNTED_FOR)-]{+Fiber.await(fiber)+}"
  }),
  planted("packages/server/src/webhooks/HttpsSender.ts", "packages/server/test/webhooks/connections.test.ts", {
    "a delivery fails where the receiver closed a connection that was kept": "[-!-]request.reusedSocket || "
  }),
  planted(postgres("webhooks/WebhookStore"), [laws], {
    "a webhook is taken from a server that holds it, in PostgreSQL":
      "(holder <> $1::text and [-leased_until <= $3::timestamptz-]{+$3::timestamptz is not null+})",
    "a webhook counts no other creation of the moment":
      "const webhooks = [-(yield* db.run(LIST, [organizationId])).length-]{+0+}"
  }),
  planted(memory("HistoryStore"), [laws], {
    "in memory, buckets of a day hold forgotten minutes alone": "stays.buckets[step].[-splice-]{+slice+}(stays"
  }),
  planted(postgres("webhooks/WebhookStore"), ["packages/server/test/faults/clocks.test.ts"], {
    "in SQL, a webhook waits for a dead server whose clock was ahead":
      "[-clock_timestamp()-]{+'infinity'::timestamptz+} + ("
  }),
  planted(postgres("history/history.sql"), [laws], {
    "in SQL, time inside counts twice where buckets are merged": "- {+0 * +}excluded.inside_before *",
    "in SQL, two servers add the same events to the history": "where r.version {+>+}= n.version",
    "in SQL, a history before the first bucket has those inside who came later":
      "order by began_at\n        limit [-1-]{+0+}"
  }),
  planted(core("Muster"), [rules, laws], {
    "a viewer starts a muster": 'requireLevel(level, "[-manager-]{+viewer+}")',
    "a muster says that people left by an exit who were inside of a place that ended later":
      "entry.endedAt [->=-]{+<+} at)",
    "a muster forgets that a stay of a marked person ended": "markedAt: now[-, endedAt-] }",
    "a marking adds people beyond the limit of a muster": "added [-+ more -]<= limit"
  }),
  planted(memory("musters"), [model], {
    "in memory, a muster forgets who came in since and left": "(id <= lastStay [-&&-]{+||+} !stays.has(id))",
    "in memory, a muster drops people whose stay ends without an exit":
      'const endedAt = "exit" in stay ? stay.exit : now\n{+    if (entrance > 0) continue\n+}'
  }),
  planted(memory("MusterStore"), [model], {
    "in memory, a marking that changes nothing is told": "[-if (changed.length === 0) return-]"
  }),
  planted(memory("WebhookStore"), [model], {
    "in memory, a webhook is leased to two servers": "lease.until [-<= now-]{+> 0+}"
  }),
  planted(memory("HistoryStore"), [model], {
    "in memory, a history forgets how long the stays of exits were": "inside: event.inside, exits, stayed{+: 0+}, at",
    "in memory, a history tells minutes that were forgotten":
      '[-step === "minute" ? owner.history.minutesFrom : -]undefined'
  }),
  planted(postgres("musters/musters.sql"), [laws], {
    "in SQL, a muster forgets who came in since and left": "id > ${last} and person is [-not -]null",
    "in SQL, a muster forgets whose place ended": "and ended_at is {+not +}null and mode = 'authenticated'",
    "in SQL, a person who was marked and has left a muster is safe":
      "when s.until < 'infinity' {+and e.marked_at is null +}or s.until is null",
    "in SQL, people who were added to a muster count as inside":
      "select person, [-since is not null-]{+true+} from muster_person",
    "in SQL, exits before an anonymous muster count": "- {+0 * +}$2::bigint as exits",
    "in SQL, a muster says that people left by an exit who were inside of a place that ended later":
      "e.ended_at [->=-]{+<+} coalesce(s.until, '-infinity')",
    "in SQL, of stays that end together a muster keeps one": "kept.place_ids[- || excluded.place_ids-]"
  }),
  planted(adapter("presence/Subscriber"), [streams], {
    "a reader of a presence stream has any number of events waiting": "if ([-this.events >= MOST_EVENTS || -]",
    "the ids of a presence stream do not advance": "[-else this.positions.set(organizationId, version)-]",
    "a presence stream says again and again that the storage is away": "[-if (!this.isStale) -]this.add(STALE)"
  }),
  planted(adapter("presence/messages"), ["packages/adapter-http/test/subscriber.test.ts"], {
    "readers of a presence stream get the id of another": "if (message.written[-?.id !== id-]{+ === undefined+}) {"
  }),
  planted(adapter("presence/Subscribers"), [streams], {
    "a presence stream goes on across feeds that were replaced":
      '[-this.epoch !== "" && epoch !== this.epoch-]{+false+}'
  }),
  planted(adapter("presence/FeedReader"), [streams], {
    "an id of events to come counts as expired, and one of forgotten events as unknown":
      "cursor.lost [-<-]{+>+} snapshot.version",
    "nothing says that the storage is back": "[-    if (isAnyStale) yield* confirm\n-]"
  }),
  planted(adapter("presence/streamChecks"), [streams], {
    "a presence stream outlives its credentials": "if ([-checked.get(credential) === -]false)"
  }),
  planted(adapter("presence/PresenceHub"), [streams], {
    "there is one presence stream more than the operator allows": "all.size >[-=-] options.maxSubscribers"
  }),
  planted(adapter("handlers/stream"), [streamStatuses], {
    "the query of a presence stream counts for more than its header":
      '[-headers["last-event-id"] || query.lastEventId-]{+query.lastEventId || headers["last-event-id"]+}'
  }),
  planted("packages/core/src/services/PresenceSubscriptions.ts", [streamStatuses], {
    "a presence stream goes on after the permission was withdrawn": '? "allowed" : "[-forbidden-]{+allowed+}"'
  }),
  planted("packages/server/src/admission/AdmissionController.ts", [streamBounds], {
    "presence streams take places of the requests in flight": "    this.[-inFlight--\n    this.-]streams.set"
  }),
  planted(tracker("Journal"), [deliveries], {
    "the tracker sends a movement before it is stored":
      "    [-return queued-]{+void queued.catch(() => {})\n    return Promise.resolve()+}\n  }",
    "the tracker takes a write that failed for one that did not":
      "      [-unstored = [...written, ...unstored]\n      throw error-]{+return+}",
    "the tracker does not look what another tab has stored":
      "    if ({+known.revision === 0 && +}!isSame(found, known)) adopt(found)"
  }),
  planted(tracker("StoredRecord"), [deliveries], {
    "the tracker writes its state over the one before, which a write that is cut off destroys":
      "setItem(keys[[-(next % 2) as 0 | -]1], text)"
  }),
  planted(tracker("delivery"), [deliveries], {
    "the tracker makes another key for each attempt of an entrance": "-${sequence}{+-${platform.random()}+}`",
    "the tracker decides the time of an exit anew for each attempt":
      "await request(waiting, [-sent-]{+correct(waiting)+})",
    "the tracker takes 500 for a refusal": "status [->= 500-]{+=== 503+}",
    "the tracker takes 408 for a refusal": "[-status === 408 || -]",
    "the tracker takes 429 for a refusal": "status === 408[- || status === 429-]",
    "the tracker drops a movement whose answer was lost":
      "      const [-outcome = await settle(waiting, await request(waiting, sent)-]{+lost = { status: 400, json: undefined, isHtml: false, date: undefined, retryAfter: undefined }\n      const outcome = await settle(waiting, await request(waiting, sent).catch(() => lost)+}, sent)"
  }),
  planted(tracker("delivery"), ["packages/tracker/test/createTracker.test.ts"], {
    "the tracker takes the page of a network for the answer to an exit": "[-if (isHtml) return waitForServer()-]"
  }),
  planted(tracker("connection"), [deliveries], {
    "the tracker keeps a token that the server has refused": "if (answer.status !== [-401-]{+0+}) return answer"
  }),
  planted(tracker("serverClock"), [deliveries], {
    "the tracker sends the times of a clock that is wrong":
      "Math.abs(offset) > [-TOLERANCE-]{+1e12+} ? time + offset : time"
  })
].flat()

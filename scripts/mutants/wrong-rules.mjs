/**
 * Wrong rules and wrong adapters, each one a plausible slip: in `file` the text `right` becomes `wrong`, and some test under
 * `tests` must fail. `right` must stand in the file exactly once, so that a rule that moved is noticed.
 */
const rules = "packages/core/test/domain"
const laws = "packages/server/test/stores/laws.test.ts"
const deletions = "packages/adapter-postgres/test/deletions.test.ts"
const movements = "packages/server/test/statuses.movement.test.ts"
const matrix = "packages/server/test/authorization.test.ts"
const signIns = "packages/server/test/statuses.signIn.test.ts"
const protocol = "packages/server/test/protocol.test.ts"
const core = (file) => `packages/core/src/domain/${file}.ts`
const memory = (file) => `packages/adapter-memory/src/${file}.ts`
const postgres = (file) => `packages/adapter-postgres/src/${file}.ts`
const adapter = (file) => `packages/adapter-http/src/${file}.ts`

export const wrongRules = [
  {
    name: "a manager may do what a viewer may not, and a viewer what a manager may",
    file: core("PermissionLevel"),
    right: "viewer: 1, manager: 2, owner: 3",
    wrong: "viewer: 2, manager: 1, owner: 3",
    tests: [rules]
  },
  {
    name: "the last owner may leave",
    file: core("Permission"),
    right: "owners.length === 1 && owners[0]?.administratorId === leaving",
    wrong: "owners.length === 0 && owners[0]?.administratorId === leaving",
    tests: [rules]
  },
  {
    name: "the last owner may be demoted",
    file: core("Permission"),
    right: 'if (update.level !== "owner") yield*',
    wrong: 'if (update.level === "owner") yield*',
    tests: [rules]
  },
  {
    name: "an update of a permission may change who nominated",
    file: core("Permission"),
    right: "update.nominatedBy !== record.nominatedBy ?",
    wrong: "update.nominatedBy === record.nominatedBy ?",
    tests: [rules]
  },
  {
    name: "somebody may be bound twice",
    file: core("Permission"),
    right: "Option.isSome(permissionOf(permissions, administratorId))\n    ? Result.fail(new AlreadyBound",
    wrong: "Option.isNone(permissionOf(permissions, administratorId))\n    ? Result.fail(new AlreadyBound",
    tests: [rules]
  },
  {
    name: "whoever proves any address takes an invitation over, though they have one",
    file: core("Administrator"),
    right: "if (lacksMail && holder?.isInvitation === true",
    wrong: "if (holder?.isInvitation === true",
    tests: [rules]
  },
  {
    name: "an account is taken over as if it were an invitation",
    file: core("Administrator"),
    right: "lacksMail && holder?.isInvitation === true && holder",
    wrong: "lacksMail && holder !== undefined && holder",
    tests: [rules]
  },
  {
    name: "in PostgreSQL, what is granted to an invitation is lost with it",
    file: postgres("invitations"),
    right: "    yield* lockOrganization(db, organization_id)\n",
    wrong: "    break\n",
    tests: [laws]
  },
  {
    name: "any password proves an account that has one",
    file: "packages/core/src/services/SignIns.ts",
    right: "if (found === undefined || !isProven)",
    wrong: "if (found === undefined)",
    tests: [signIns]
  },
  {
    name: "a password may be tried for ever",
    file: adapter("handlers/authentication"),
    right: "        yield* Effect.mapError(limiter.consume({ ...ATTEMPTS, key: counterOf(username) }), tooMany)\n",
    wrong:
      "        yield* Effect.mapError(limiter.consume({ ...ATTEMPTS, limit: 1e9, key: counterOf(username) }), tooMany)\n",
    tests: [signIns]
  },
  {
    name: "a token works at every premises",
    file: core("ExitToken"),
    right: "const digest = mac.clone().update(premisesBytes(premises))",
    wrong: "const digest = mac.clone()",
    tests: [rules]
  },
  {
    name: "a token is genuine when it is well-formed",
    file: core("ExitToken"),
    right: "Option.isSome(genuine) && sameText(genuine.value, token)",
    wrong: "Option.isSome(genuine)",
    tests: [rules]
  },
  {
    name: "two users share an Idempotency-Key",
    file: core("ExitToken"),
    right: ".update(lengthAndText(userId))",
    wrong: "",
    tests: [rules]
  },
  {
    name: "a closed stay takes any second exit",
    file: core("Stay"),
    right: "claim.timestamp === undefined || claim.timestamp === stay.exit",
    wrong: "claim.timestamp === undefined || claim.timestamp !== stay.exit",
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
    name: "nobody leaves at the instant of their entrance",
    file: core("Stay"),
    right: "if (exit < stay.entrance)",
    wrong: "if (exit <= stay.entrance)",
    tests: [rules]
  },
  {
    name: "a token of another person works",
    file: core("Stay"),
    right: "facts.linked.value !== stay.orgAuthServerId",
    wrong: "facts.linked.value === stay.orgAuthServerId",
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
    name: "29 February exists every fourth year",
    file: core("Timestamp"),
    right: "year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)",
    wrong: "year % 4 === 0",
    tests: [rules]
  },
  {
    name: "the body's claim decides who is inside",
    file: core("AccountLink"),
    right: "claimed !== undefined && claimed !== linked.value ? Result.fail",
    wrong: "claimed !== undefined && claimed === linked.value ? Result.fail",
    tests: [rules]
  },
  {
    name: "one person is linked to two users",
    file: core("AccountLink"),
    right: "Option.isSome(holder) && holder.value !== userId",
    wrong: "Option.isSome(holder) && holder.value === userId",
    tests: [rules]
  },
  {
    name: "a user reads anybody's accesses",
    file: core("Access"),
    right: "Option.isSome(linked) && asked[0] === linked.value",
    wrong: "Option.isSome(linked)",
    tests: [rules]
  },
  {
    name: "a decided deletion request is decided again",
    file: core("DeletionRequest"),
    right: 'request.status === "pending"',
    wrong: 'request.status !== "approved"',
    tests: [rules]
  },
  {
    name: "a place moves to another organization",
    file: core("Place"),
    right: "change.organizationId !== undefined && change.organizationId !== place.organizationId",
    wrong: "change.organizationId === undefined && change.organizationId !== place.organizationId",
    tests: [rules]
  },
  {
    name: "an area of exactly the largest size is too large",
    file: core("AreaConstraints"),
    right: "size > maxArea",
    wrong: "size >= maxArea",
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
    name: "an exit leaves the person inside",
    file: memory("StayLog"),
    right: "  stays.openByPerson.delete(stay.orgAuthServerId)\n",
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
    right: "      found.owner.places.delete(placeId)\n      state.organizationByPlace.delete(placeId)\n",
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
    file: adapter("handlers/admission"),
    right: "if (!kinds.includes(caller._tag))",
    wrong: "if (kinds.length === 0)",
    tests: [matrix]
  },
  {
    name: "errors tell everybody why",
    file: adapter("edge/answer"),
    right: "if (!wantsProblem) return withoutBody(response)",
    wrong: "",
    tests: [protocol]
  },
  {
    name: "the shape is checked before the media type",
    file: adapter("handlers/envelope"),
    right: "if (!isExpected ||",
    wrong: "if (",
    tests: [protocol]
  },
  {
    name: "what cannot be encoded is passed off as an empty list",
    file: adapter("api/emptyList"),
    right: "Schema.Undefined.pipe(",
    wrong: "Schema.Unknown.pipe(",
    tests: ["packages/adapter-http/test/availability.test.ts"]
  },
  {
    name: "in SQL, a retried entrance opens another stay",
    file: postgres("stays.sql"),
    right: "    and not exists (select from repeated)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in SQL, a retry key stands for its stay for ever",
    file: postgres("stays.sql"),
    right: "and retry_key = $8::text and used_at > $9::timestamptz",
    wrong: "and retry_key = $8::text",
    tests: [laws]
  },
  {
    name: "in SQL, whoever is linked enters as whom they claim to be",
    file: postgres("stays.sql"),
    right: "or linked = coalesce($4::text, linked))",
    wrong: "or linked is not null)",
    tests: [laws]
  },
  {
    name: "in SQL, anybody leaves for anybody",
    file: postgres("stays.sql"),
    right: "    and (s.person is null or facts.linked is null or facts.linked = s.person)\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in SQL, an exit may come before its entrance",
    file: postgres("stays.sql"),
    right: "    and coalesce($6::timestamptz, s.entered_at) >= s.entered_at\n",
    wrong: "",
    tests: [laws]
  },
  {
    name: "in SQL, a place is counted with its organization",
    file: postgres("stays.sql"),
    right: "from open_stay where organization_id = $1::bigint and place_id = $2::bigint`",
    wrong: "from open_stay where organization_id = $1::bigint and $2::bigint is not null`",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, changes of one organization do not wait for each other",
    file: postgres("organizations"),
    right: " where id = $1::bigint for no key update",
    wrong: " where id = $1::bigint",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, movements go on while what they are in ends",
    file: postgres("organizations"),
    right: 'db.run("lock table open_stay in share row exclusive mode", [])',
    wrong: 'db.run("select 1", [])',
    tests: [deletions]
  },
  {
    name: "in PostgreSQL, a place overlaps itself",
    file: postgres("PlaceStore"),
    right: "areas.filter(({ id }) => id !== changed)",
    wrong: "areas.filter(({ id }) => id !== undefined || changed)",
    tests: [laws]
  },
  {
    name: "in PostgreSQL, a decision on accounts stands when others were quicker",
    file: postgres("accounts"),
    right: "if (!isKept) return yield* new Overtaken()",
    wrong: "if (!isKept) return",
    tests: [laws]
  }
]

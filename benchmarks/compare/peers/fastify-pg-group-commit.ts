/** Fastify and pg, movements that wait at the same moment written together. */
import { serveFastify } from "./fastify.ts"
import { makeGroupCommitStays } from "./groupCommit.ts"
import { makePool } from "./pg.ts"

await serveFastify(makeGroupCommitStays(makePool()))

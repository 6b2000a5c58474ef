/**
 * A peer as a process: `main.ts single` writes each movement with one statement, `main.ts group-commit` those that wait at the same moment
 * together. The environment has DATABASE_URL, and PUBLIC_KEY of the issuer in PEM.
 */
import { serve } from "./fastify.ts"
import { makeGroupCommitStays } from "./groupCommit.ts"
import { makePool, makeStays } from "./pg.ts"

const { DATABASE_URL = "", PUBLIC_KEY = "" } = process.env
const pool = makePool(DATABASE_URL)

await serve(process.argv[2] === "group-commit" ? makeGroupCommitStays(pool) : makeStays(pool), PUBLIC_KEY)

/** Fastify and pg, one statement for one request. */
import { serveFastify } from "./fastify.ts"
import { makePool, makeStays } from "./pg.ts"

await serveFastify(makeStays(makePool()))

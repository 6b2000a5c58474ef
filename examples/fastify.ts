/** The core inside a Fastify backend: one `ManagedRuntime` for its life, and routes and statuses of the backend's own. */
import * as Memory from "@sojourn/adapter-memory"
import * as Sojourn from "@sojourn/core"
import { Effect, ManagedRuntime } from "effect"
import Fastify, { type FastifyReply } from "fastify"
import assert from "node:assert/strict"

const runtime = ManagedRuntime.make(Memory.layer) // on PostgreSQL: `layerServices` on the stores of adapter-postgres
const app = Fastify()
app.addHook("onClose", () => runtime.dispose())

const ada = { administratorId: Sojourn.AdministratorId.make("ada"), mail: Sojourn.Mail.make("ada@example.org") }
const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
const draft = { name: "Library", trackingArea, trackingMode: "anonymous" } as const
const backend = Sojourn.Operator(Sojourn.OperatorId.make("this backend"))
const library = await runtime.runPromise(Sojourn.Organizations.use((_) => _.create(backend, draft, ada)))
const premises = Sojourn.OrganizationPremises(library.id)

/** The refusals of a use case are in its type: whatever the core adds to them, the compiler asks for here. */
const STATUSES: Record<(Sojourn.MovementRefusal | Sojourn.StoreError)["_tag"], number> = {
  PremisesNotFound: 404,
  NotLinked: 403,
  IdentityNotOwn: 403,
  TimestampInFuture: 422,
  TimestampTooOld: 422,
  ExitNotMatched: 422,
  ExitBeforeEntrance: 422,
  StoreError: 503
}

// Who is calling is the backend's to know: elsewhere a session says it, here a header.
const track = (visitor: unknown, movement: Sojourn.Movement, reply: FastifyReply) =>
  Sojourn.Movements.use((_) => _.track(Sojourn.User(Sojourn.UserId.make(String(visitor))), movement)).pipe(
    Effect.match({
      onSuccess: ({ exitToken }) => reply.send({ token: exitToken }),
      onFailure: ({ _tag }) => reply.code(STATUSES[_tag]).send({ refused: _tag })
    }),
    runtime.runPromise
  )

app.post("/come-in", ({ headers }, reply) => track(headers["x-visitor"], { _tag: "Entrance", premises }, reply))
app.post<{ Body: { token: string } }>("/go-out", ({ headers, body: { token } }, reply) =>
  track(headers["x-visitor"], { _tag: "Exit", premises, exitToken: token }, reply)
)
app.get("/inside", async () => {
  const counted = await runtime.runPromise(
    Sojourn.Presence.use((_) => _.counter(Sojourn.Administrator(ada.administratorId), premises))
  )
  return { inside: counted.counter }
})

// A visitor comes, and leaves, once with another's token.
const headers = { "x-visitor": "tim" }
const call = async (method: "GET" | "POST", url: string, payload?: object) => {
  const { statusCode, body } = await app.inject({ method, url, headers, ...(payload && { payload }) })
  console.log(`${method} ${url}: ${statusCode} ${body}`)
  return { status: statusCode, ...JSON.parse(body) }
}
const { token } = await call("POST", "/come-in")
assert.equal((await call("POST", "/go-out", { token: "a guess" })).status, 422)
assert.equal((await call("GET", "/inside")).inside, 1)
assert.equal((await call("POST", "/go-out", { token })).status, 200)
assert.equal((await call("GET", "/inside")).inside, 0)
await app.close()

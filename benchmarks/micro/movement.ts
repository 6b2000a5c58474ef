import {
  AccountLinkStore,
  admit,
  type Entrance,
  type Exit,
  ExitTokens,
  Movements,
  OrganizationPremises,
  settle,
  StayLog,
  User,
  UserId
} from "@sojourn/core"
import { Effect, Layer, Option } from "effect"
import { decodeBody, encodeAnswer, SENT } from "./codecs.ts"
import { INSIDE, NOBODY_IN_PARTICULAR, ORGANIZATION } from "./stays.ts"
import type { Subject } from "./Subject.ts"
import { SCHEME, TOKEN } from "./tokens.ts"

const unasked = Effect.die("no movement of nobody in particular asks for this")

/** A store that knows one stay and answers at once: what is left of a movement's cost is the core's. */
const stayLog = StayLog.of({
  open: ({ claim, keyId, premises }) =>
    Effect.map(Effect.fromResult(admit(NOBODY_IN_PARTICULAR, claim)), ({ entrance }) => ({
      id: INSIDE.id,
      organizationId: ORGANIZATION,
      premises,
      keyId,
      entrance
    })),
  close: ({ claim }) => Effect.fromResult(settle(NOBODY_IN_PARTICULAR, INSIDE, claim)),
  countOpen: () => unasked,
  closedByIds: () => unasked,
  closedByPeople: () => unasked,
  closedByUser: () => unasked,
  timePerPerson: () => unasked
})

const links = AccountLinkStore.of({ put: () => unasked, remove: () => unasked, tie: () => unasked })

const { track } = Effect.runSync(
  Effect.provide(
    Movements,
    Movements.layer.pipe(
      Layer.provide([
        Layer.succeed(StayLog, stayLog),
        Layer.succeed(AccountLinkStore, links),
        Layer.succeed(ExitTokens, SCHEME)
      ])
    )
  )
)

/** What the subjects of a whole movement are called: the sum of a pair is told below the table. */
export const IN_ALL = {
  entrance: "an entrance in all: body, use case, answer",
  exit: "an exit in all: body, use case, answer"
}

/** One movement from its body to its answer, with everything that is neither HTTP, nor a store, nor the caller's token. */
export const movement = (): ReadonlyArray<Subject> => {
  const user = User(UserId.make("user-1"))
  const premises = OrganizationPremises(ORGANIZATION)
  const entrance: Entrance = { _tag: "Entrance", premises }
  const exit: Exit = { _tag: "Exit", premises, exitToken: TOKEN }
  const isTracked = (answer: unknown) => String(JSON.stringify(answer)).includes(TOKEN)

  const answered = (body: string) => {
    const sent = Option.getOrThrow(decodeBody(body))
    const moved =
      sent.movementType === -1
        ? track(user, { ...exit, exitToken: sent.exitToken })
        : track(user, { ...entrance, premises: OrganizationPremises(sent.organizationId) })
    const { _tag, timestamp, exitToken, orgAuthServerId } = Effect.runSync(moved)
    const movementType = _tag === "Entrance" ? 1 : -1
    return encodeAnswer({ movementType, organizationId: sent.organizationId, timestamp, exitToken, orgAuthServerId })
  }

  const tracked = (moved: Entrance | Exit) => Effect.runSync(track(user, moved)).exitToken
  return [
    { name: "use case: an entrance tracked", once: () => tracked(entrance), isRight: isTracked },
    { name: "use case: an exit tracked", once: () => tracked(exit), isRight: isTracked },
    { name: IN_ALL.entrance, once: () => answered(SENT.entrance), isRight: isTracked },
    { name: IN_ALL.exit, once: () => answered(SENT.exit), isRight: isTracked }
  ]
}

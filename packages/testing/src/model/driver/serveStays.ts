/** Answers commands on movements, and on what is read of stays, by the use cases. */
import { Accesses, Movements, Presence, Reports, type Timestamp } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { each, type Serve, valueOf, type Translation } from "./translation.ts"

export const makeServeStays = Effect.fnUntraced(function* (translation: Translation) {
  const { names, answer, user, administrator, premises, placeId, person, people } = translation
  const accesses = yield* Accesses
  const movements = yield* Movements
  const presence = yield* Presence
  const reports = yield* Reports
  return {
    Enter: ({ by, at, time, person: claimed, key, stay }) =>
      Effect.map(
        movements.track(user(by), {
          _tag: "Entrance",
          premises: premises(at),
          timestamp: time as Timestamp | undefined,
          orgAuthServerId: person(claimed),
          idempotencyKey: key
        }),
        ({ timestamp, exitToken, orgAuthServerId }) => {
          names.bindToken(stay, exitToken)
          return { value: { time: timestamp, person: orgAuthServerId }, tokens: [exitToken] }
        }
      ),
    Leave: ({ by, at, time, person: claimed, token }) =>
      Effect.map(
        movements.track(user(by), {
          _tag: "Exit",
          premises: premises(at),
          exitToken: names.token(token),
          timestamp: time as Timestamp | undefined,
          orgAuthServerId: person(claimed)
        }),
        ({ timestamp, exitToken, orgAuthServerId }) => ({
          value: { time: timestamp, person: orgAuthServerId },
          tokens: [exitToken]
        })
      ),
    ReadCounter: ({ by, at }) =>
      presence
        .counter(administrator(by), premises(at))
        .pipe(valueOf((counted) => ({ at: answer.premises(counted.premises), counter: counted.counter }))),
    ReadAccessesByToken: ({ at, tokens }) =>
      Effect.map(
        accesses.anonymous(
          premises(at),
          tokens.map((token) => names.token(token))
        ),
        (found) => ({
          value: found.map(({ stay }) => answer.access({ stay })),
          tokens: found.map(({ exitToken }) => exitToken)
        })
      ),
    ReadAccessesOfPeople: ({ by, at, people: ids }) =>
      by.kind === "administrator"
        ? accesses.ofPeople(administrator(by), premises(at), people(ids)).pipe(each(answer.access))
        : accesses.own(user(by), premises(at), people(ids)).pipe(each(answer.access)),
    ReadReport: ({ by, place }) =>
      reports.timePerUser(administrator(by), placeId(place)).pipe(
        each((time) => ({
          place: names.label("place", time.placeId),
          person: time.orgAuthServerId,
          seconds: time.totalTime
        }))
      )
  } satisfies Partial<Serve>
})

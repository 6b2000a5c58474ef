/**
 * The port `StayLog` on a file of SQLite, beside stores that keep everything else elsewhere.
 *
 * What a movement is decided on, two other ports answer: `tie` says how an organization tracks and whom it knows a user as,
 * `membership` what an administrator may do there. `StayLog` promises to decide and to write in one step. Here nothing comes
 * between, as long as those two answer without waiting, like the stores in memory do: SQLite does not wait either.
 *
 * No caller can reach what ended with its place or organization, as ids are not used again. Its rows stay in the file.
 */
import * as Sojourn from "@sojourn/core"
import { Effect, Layer, Option, References } from "effect"
import { openStayTable } from "./StayTable.ts"

/** Asks whether premises exist, which `tie` answers for a user. */
const ANY_USER = Sojourn.UserId.make("any user")

/** Runs without yielding: the scheduler would otherwise run other fibers in between after so many steps. */
const inOneStep = Effect.provideService(References.PreventSchedulerYield, true)

/** What the driver throws, a full disk for one, is the store's failure and no defect. */
const stored = <A>(operation: string, run: () => A) =>
  Effect.try({ try: run, catch: (cause) => new Sojourn.StoreError({ operation, cause }) })

export const layerStayLog = (
  file: string
): Layer.Layer<Sojourn.StayLog, Sojourn.StoreError, Sojourn.AccountLinkStore | Sojourn.PermissionStore> =>
  Layer.effect(
    Sojourn.StayLog,
    Effect.gen(function* () {
      const links = yield* Sojourn.AccountLinkStore
      const permissions = yield* Sojourn.PermissionStore
      const table = yield* Effect.acquireRelease(
        stored("open the stays", () => openStayTable(file)),
        ({ close }) => Effect.sync(close)
      )

      const tieAt = Effect.fnUntraced(function* (premises: Sojourn.Premises, userId: Sojourn.UserId) {
        const tie = yield* links.tie(premises, userId)
        return yield* Option.isSome(tie) ? Effect.succeed(tie.value) : new Sojourn.PremisesNotFound({ premises })
      })

      /** The stays at some premises, for a display of the organization or an administrator of any level. */
      const readableBy = Effect.fnUntraced(function* (who: Sojourn.Reader, premises: Sojourn.Premises) {
        const membership = yield* permissions.membership(premises, who)
        if (Option.isNone(membership)) return yield* new Sojourn.PremisesNotFound({ premises })
        yield* Effect.fromResult(Sojourn.requireLevel(membership.value.level, "viewer"))
        return table.at(membership.value.organizationId, premises)
      })

      return Sojourn.StayLog.of({
        open: Effect.fnUntraced(function* ({ premises, userId, claim, keyId, retryKey, leaves }) {
          // A stay of other premises is in none of its tables here: an entrance that would end one is refused.
          if (leaves !== undefined) return yield* new Sojourn.ExitNotMatched()
          const tie = yield* tieAt(premises, userId)
          const { person, entrance } = yield* Effect.fromResult(Sojourn.admit(tie, claim))
          const here = table.at(tie.organizationId, premises)
          const [who, key] = [Option.getOrUndefined(person), Option.getOrUndefined(retryKey)]
          return yield* stored("open a stay", () =>
            table.transaction(() => {
              const answered = key && here.retried(key, claim.now - Sojourn.RETRY_KEY_LIFETIME)
              if (answered !== undefined) return answered
              const stay = (who && here.openOf(who)) ?? here.open(who, keyId, entrance)
              if (key !== undefined) here.remember(key, stay, claim.now)
              return stay
            })
          )
        }, inOneStep),

        close: Effect.fnUntraced(function* ({ premises, stay: { organizationId, stayId }, userId, claim }) {
          const tie = yield* tieAt(premises, userId)
          const here = table.at(tie.organizationId, premises)
          const stay = yield* stored("find a stay", () => here.find(stayId))
          if (stay === undefined || tie.organizationId !== organizationId) return yield* new Sojourn.ExitNotMatched()
          const closed = yield* Effect.fromResult(Sojourn.settle(tie, stay, claim))
          if (stay._tag === "OpenStay") yield* stored("close a stay", () => here.close(closed))
          return closed
        }, inOneStep),

        closedByIds: Effect.fnUntraced(function* (_, premises, ids) {
          const tie = yield* links.tie(premises, ANY_USER)
          if (Option.isNone(tie)) return []
          return yield* stored("list stays", () => table.at(tie.value.organizationId, premises).closedByIds(ids))
        }, inOneStep),

        closedByUser: Effect.fnUntraced(function* (userId, premises, asked) {
          const tie = yield* links.tie(premises, userId)
          const linked = Option.flatMap(tie, (found) => found.linked)
          const person = yield* Effect.fromResult(Sojourn.ownAccesses(asked, linked))
          const { organizationId } = Option.getOrThrow(tie)
          return yield* stored("list own stays", () => table.at(organizationId, premises).closedByPeople([person]))
        }, inOneStep),

        countOpen: Effect.fnUntraced(function* (who, premises) {
          const here = yield* readableBy(who, premises)
          return yield* stored("count stays", here.countOpen)
        }, inOneStep),

        closedByPeople: Effect.fnUntraced(function* (who, premises, people) {
          const here = yield* readableBy(who, premises)
          return yield* stored("list people's stays", () => here.closedByPeople(people))
        }, inOneStep),

        timePerPerson: Effect.fnUntraced(function* (who, placeId) {
          const here = yield* readableBy(who, Sojourn.PlacePremises(placeId))
          return yield* stored("sum stays", here.timePerPerson)
        }, inOneStep),

        timePerPersonInside: Effect.fnUntraced(function* (who, premises, window) {
          const here = yield* readableBy(who, premises)
          return yield* stored("sum stays of a window", () => here.timePerPersonInside(window))
        }, inOneStep),

        closedInWindow: Effect.fnUntraced(function* (who, { premises, isOwn, people, from, to, after, most }) {
          const membership = yield* permissions.membership(premises, who)
          if (Option.isNone(membership)) return yield* new Sojourn.PremisesNotFound({ premises })
          const { level, organizationId } = membership.value
          const { mode } = yield* tieAt(premises, ANY_USER)
          yield* Effect.fromResult(Sojourn.mayListInside(level, mode, premises))
          const isWhole = premises._tag === "OrganizationPremises" && !isOwn
          const stays = yield* stored("list stays of a window", () =>
            isWhole ? table.closedAnywhere(organizationId) : table.at(organizationId, premises).closed()
          )
          const isLeft = (stay: Sojourn.ClosedStay) =>
            stay.entrance >= from &&
            stay.entrance < to &&
            (people === undefined || people.includes(stay.orgAuthServerId!)) &&
            (after === undefined ||
              stay.entrance > after.entrance ||
              (stay.entrance === after.entrance && stay.id > after.id))
          const listed: Array<Sojourn.ClosedStay> = []
          for (const stay of stays.filter(isLeft)) {
            if (listed.length === most) break
            if (Option.isSome(yield* permissions.membership(stay.premises, who))) listed.push(stay)
          }
          return listed
        }, inOneStep)
      })
    })
  )

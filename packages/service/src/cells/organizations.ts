/** Organizations over cells: their names are unique by the home cell, and a rule says where a new one goes. */
import {
  accountAfter,
  AdministratorSubject,
  CellStore,
  DeletionRequestOrder,
  DeletionRequestStore,
  FavoriteStore,
  OrganizationNameTaken,
  type Organization,
  OrganizationStore,
  PlaceStore,
  UserSubject
} from "@sojourn/core"
import { Data, Effect, Option, Result } from "effect"
import { copyOf, spreadAccounts } from "./accounts.ts"
import { askAll, askPages, type Cell, type Cells } from "./Cells.ts"
import { chooseCell } from "./placement.ts"
import { storeOf, storesOfSubject } from "./subjects.ts"

/** A name that a change gives to an organization, and that has to be found free first. */
class ToRename extends Data.TaggedError("ToRename")<{ readonly from: string; readonly name: string }> {}

/**
 * The organizations of a cell by name. The home cell says which cell may have a name, before that cell gets it: so an organization with the
 * name is in that cell or nowhere, whatever was cut off.
 */
const makeNames = (cells: Cells) => {
  const { home } = cells.ports(CellStore)
  const stores = cells.ports(OrganizationStore)
  const find = (name: string) =>
    Effect.gen(function* () {
      const number = yield* home.findName(name)
      if (Option.isNone(number)) return Option.none<Organization>()
      return yield* (yield* storeOf(cells, stores, number.value)).findByName(name)
    })
  return {
    find,
    /** Gives a free name to a cell, under the lock. */
    take: Effect.fnUntraced(function* (name: string, { number }: Pick<Cell, "number">) {
      if (Option.isSome(yield* find(name))) return yield* new OrganizationNameTaken({ name })
      yield* home.putName(name, number)
    }),
    /** Frees a name that no organization has any more, under the lock. */
    free: Effect.fnUntraced(function* (name: string) {
      if (Option.isNone(yield* find(name))) yield* home.removeName(name)
    })
  }
}

export const makeOrganizationStore = (cells: Cells): OrganizationStore["Service"] => {
  const stores = cells.ports(OrganizationStore)
  const accounts = cells.ports(CellStore)
  const { home } = accounts
  const names = makeNames(cells)

  /** The cell that a new organization goes to. */
  const choose = Effect.map(home.countNames, (counts) => {
    const loadOf = ({ number, weight }: Cell) => ({ number, weight, organizations: counts.get(number) ?? 0 })
    const [first, ...others] = cells.all
    const number = chooseCell([loadOf(first), ...others.map(loadOf)])
    return cells.all.findIndex((cell) => cell.number === number)
  })

  return {
    create: (creation) =>
      home.locked(
        Effect.gen(function* () {
          const { organization, owner, decide } = creation
          const facts = yield* home.findAccounts(owner)
          const change = yield* Effect.fromResult(decide(facts))
          const account = Option.getOrThrow(accountAfter(change, facts))
          const chosen = yield* choose
          yield* names.take(organization.name, cells.all[chosen]!)
          yield* spreadAccounts(cells, change)
          if (chosen > 0) {
            yield* home.addCell(AdministratorSubject(account.administratorId), cells.all[chosen]!.number)
            yield* accounts.all[chosen]!.changeAccounts({ _tag: "Kept", account: copyOf(account) })
          }
          return yield* stores.all[chosen]!.create({
            ...creation,
            owner: { administratorId: account.administratorId },
            decide: () => Result.succeed({ _tag: "Unchanged" })
          })
        })
      ),

    get: (organizationId) => stores.at(organizationId).get(organizationId),
    findByName: names.find,

    list: (after) =>
      askPages(
        stores.all,
        (store) => store.list(after),
        ({ id }) => id,
        ({ trackingArea }) => trackingArea.text
      ),

    overview: (query) =>
      askPages(
        stores.all,
        (store) => store.overview(query),
        ({ organization }) => organization.id,
        ({ organization }) => organization.trackingArea.text,
        query.limit
      ),

    preview: (query) => stores.at(query.organizationId).preview(query),

    update: (update) => {
      const store = stores.at(update.organizationId)
      /** Updates the organization, unless that gives it another name than this. */
      const updateTo = (name: string | undefined) =>
        store.update({
          ...update,
          decide: (facts) =>
            Result.flatMap(update.decide(facts), (changed): Result.Result<Organization, ToRename> => {
              const { name: from } = facts.organization
              return changed.name === from || changed.name === name
                ? Result.succeed(changed)
                : Result.fail(new ToRename({ from, name: changed.name }))
            })
        })
      type Updated = ReturnType<typeof updateTo>
      const isToRename = (error: unknown): error is ToRename => error instanceof ToRename
      const rename = ({ from, name }: ToRename): Updated =>
        Effect.gen(function* () {
          yield* names.take(name, cells.at(update.organizationId))
          const changed = yield* Effect.ensuring(updateTo(name), Effect.ignore(names.free(name)))
          yield* names.free(from)
          return changed
        })
      return updateTo(undefined).pipe(
        Effect.catchIf(isToRename, (wanted) => home.locked(rename(wanted))),
        // Another update came between, and the decision gives another name.
        Effect.catchIf(isToRename, () => Effect.suspend(() => makeOrganizationStore(cells).update(update)))
      ) as never
    }
  }
}

export const makeDeletionRequestStore = (cells: Cells): DeletionRequestStore["Service"] => {
  const requests = cells.ports(DeletionRequestStore)
  const organizations = cells.ports(OrganizationStore)
  const names = makeNames(cells)
  return {
    request: (request) => requests.at(request.organizationId).request(request),
    pending: (query) => requests.at(query.organizationId).pending(query),
    conclude: (conclusion) => {
      const store = requests.at(conclusion.id)
      if (conclusion.verdict === "rejected") return store.conclude(conclusion)
      return cells.ports(CellStore).home.locked(
        Effect.gen(function* () {
          const request = (yield* store.list(Option.some("pending"))).find(({ id }) => id === conclusion.id)
          const { organizationId } = request ?? { organizationId: undefined }
          const organization =
            organizationId && Option.getOrUndefined(yield* organizations.at(organizationId).get(organizationId))
          const concluded = yield* store.conclude(conclusion)
          if (organization !== undefined) yield* names.free(organization.name)
          return concluded
        })
      )
    },
    list: (status) => askAll(requests.all, (store) => store.list(status), DeletionRequestOrder)
  }
}

export const makeFavoriteStore = (cells: Cells): FavoriteStore["Service"] => {
  const stores = cells.ports(FavoriteStore)
  const { home } = cells.ports(CellStore)
  return {
    add: (claim) => {
      const store = stores.at(claim.organizationId)
      if (store === stores.home) return store.add(claim)
      // Before the favorite, so that no list leaves it out.
      const known = home.addCell(UserSubject(claim.userId), cells.at(claim.organizationId).number)
      return Effect.andThen(known, store.add(claim))
    },
    remove: (userId, organizationId) => stores.at(organizationId).remove(userId, organizationId),
    list: (userId, after) =>
      Effect.flatMap(storesOfSubject(cells, stores, UserSubject(userId)), (own) =>
        askPages(
          own,
          (store) => store.list(userId, after),
          ({ id }) => id,
          ({ organization }) => organization.trackingArea.text
        )
      )
  }
}

export const makePlaceStore = (cells: Cells): PlaceStore["Service"] => {
  const { at } = cells.ports(PlaceStore)
  return {
    previewCreation: (creation) => at(creation.organizationId).previewCreation(creation),
    create: (creation) => at(creation.organizationId).create(creation),
    previewUpdate: (update) => at(update.placeId).previewUpdate(update),
    update: (update) => at(update.placeId).update(update),
    remove: (removal) => at(removal.placeId).remove(removal),
    list: (organizationId, ...rest) => at(organizationId).list(organizationId, ...rest)
  }
}

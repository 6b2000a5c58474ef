/** Moves an organization between the cells of a service, and its name with it. */
import { moveOrganization as moveRows, type Moved, MoveFailed, type MoveStep } from "@sojourn/adapter-postgres"
import {
  type CellNumber,
  CellStore,
  type OrganizationId,
  type OrganizationNotFound,
  OrganizationStore,
  type StoreError
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Cell } from "./Cells.ts"
import { cellsOfMoves } from "./watchMoves.ts"

/** Which organization goes where. */
export interface OrganizationMove<E = never> {
  readonly organizationId: OrganizationId
  readonly to: CellNumber
  /** Called with each step that is done. Where it fails, the move is cut off. */
  readonly onStep?: ((step: MoveStep) => Effect.Effect<void, E>) | undefined
}

/**
 * Moves an organization to another of the cells, of which the first is the home cell, while servers use them. Its requests wait for a moment, and
 * nothing else does. Cut off anywhere, the organization is complete in one of both cells, and the same call does the rest. Cells in memory have
 * no moves.
 */
export const moveOrganization = Effect.fnUntraced(function* <E = never>(
  cells: readonly [Cell, ...ReadonlyArray<Cell>],
  { organizationId, to, onStep = () => Effect.void }: OrganizationMove<E>
): Effect.fn.Return<Moved, MoveFailed | OrganizationNotFound | StoreError | E> {
  const home = Context.get(cells[0].stores, CellStore)
  const target = cells.find(({ number }) => number === to)
  const all = cellsOfMoves(cells)
  if (target === undefined || all.length < cells.length) {
    return yield* new MoveFailed({ reason: target === undefined ? `there is no cell ${to}` : "a cell has no moves" })
  }
  const moved = yield* moveRows(all, { organizationId, to, onStep, locked: home.locked })
  // Names lead to the cell before until here: what is not found there is looked for in all cells.
  yield* home.locked(
    Effect.gen(function* () {
      const organization = yield* Context.get(target.stores, OrganizationStore).get(organizationId)
      if (Option.isSome(organization)) yield* home.putName(organization.value.name, to)
    })
  )
  return moved
})

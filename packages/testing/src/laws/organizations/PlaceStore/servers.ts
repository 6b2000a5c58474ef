/** Changes of places by the service `Places`, each like a separate server, which sees other changes only through the stores. */
import { Administrator, type Place, type PlaceDraft, type PlaceEdit, Places } from "@sojourn/core"
import { Effect, Layer } from "effect"
import { type GridRectangle, rectangleArea, wholeGrid } from "../../../arbitraries/areas.ts"
import type { OrganizationFixture } from "../../shared/fixtures.ts"

const asServer = <A, E>(use: (places: Places["Service"]) => Effect.Effect<A, E>) =>
  Places.use(use).pipe(Effect.provide(Layer.fresh(Places.layer)))

/** Creates a place, on the whole area of the organization unless said otherwise. */
export const makePlace = (
  { id: organizationId, owner }: OrganizationFixture,
  at: Pick<PlaceDraft, "level" | "parentId"> & { readonly area?: GridRectangle } = {}
) =>
  asServer((places) =>
    places.create(Administrator(owner), {
      organizationId,
      trackingArea: rectangleArea(at.area ?? wholeGrid(8)).text,
      level: at.level,
      parentId: at.parentId
    })
  )

export const editPlace = ({ owner }: OrganizationFixture, { id }: Place, change: PlaceEdit) =>
  asServer((places) => places.edit(Administrator(owner), id, change))

export const deletePlace = ({ owner }: OrganizationFixture, { id }: Place) =>
  asServer((places) => places.remove(Administrator(owner), id))

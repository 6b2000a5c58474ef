/** The port for imports: of places that are created together, and of accesses that another system recorded. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { AccessDraft, ImportedAccesses } from "../../domain/imports/AccessImport.ts"
import type { PlacesPlan } from "../../domain/imports/PlaceImport.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { AdministratorId, OrganizationId, PlaceId } from "../../domain/shared/Ids.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { Preview } from "../organizations/OrganizationStore.ts"
import type { PlaceFacts } from "../organizations/PlaceStore.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** In which organization places are created, and in whose name. */
export interface PlacesCreation {
  readonly organizationId: OrganizationId
  readonly administratorId: AdministratorId
}

/** Places that were created together: the plan, and the ids of its places in their order. */
export interface PlacesCreated {
  readonly plan: PlacesPlan
  readonly ids: ReadonlyArray<PlaceId>
}

/** The rows of an import. */
export interface AccessImport {
  readonly organizationId: OrganizationId
  readonly rows: ReadonlyArray<AccessDraft>
  readonly now: Timestamp
}

/** Imports of places and accesses (spec: imports). */
export class ImportStore extends Context.Service<
  ImportStore,
  {
    /** Reads the facts that `createPlaces` decides on, without a lock. All places of the organization are `near`. */
    readonly previewPlaces: (
      creation: PlacesCreation
    ) => Effect.Effect<Preview<PlaceFacts>, OrganizationNotFound | StoreError>
    /**
     * Decides on the facts, those of the preview while it holds, and keeps the places of the plan under new ids, with their capacities, as
     * one step. Each has a feed and an event. Ids of planned places stand for those that the store issues.
     * Racing changes of the organization's places are before the decision or after the step.
     * Laws: `imports/ImportStore/places.ts` "places that are created together are as those that are created one by one", "places are not
     * created on a preview after another change".
     */
    readonly createPlaces: <E>(
      creation: PlacesCreation & {
        readonly preview?: Preview<PlaceFacts> | undefined
        readonly decide: (facts: PlaceFacts) => Result.Result<PlacesPlan, E>
      }
    ) => Effect.Effect<PlacesCreated, E | OrganizationNotFound | StoreError>
    /**
     * Imports the rows that the rule `accessAdmission` admits and whose keys were not imported before, as one step: they are accesses
     * from then on. They are added to the histories by the rule `overlay`, which begin with the first of them where that is earlier. Open stays, counters
     * and totals stay as they are, no muster is about them, and the feed has one `OrganizationChanged` if there is one.
     * An erasure and the removal of premises end the keys of their accesses, and the retention leaves them.
     * Of racing imports one takes a key.
     * Laws: `imports/ImportStore/accesses.ts` "imported accesses are listed, reported, exported and erased as others", "imports leave counts,
     * totals and open stays as they are, and an event says that the organization changed", "a key is imported once, also by imports at the same moment",
     * "refused rows are answered, and the others imported", "imported accesses are forgotten by their exits, in whatever order they came, and are
     * not imported again", "an erasure and the removal of a place free the keys of their accesses", "an import that races with the removal of a
     * place ends with it, or finds none", "a muster is about no imported access"; `imports/ImportStore/histories.ts` "imported accesses are in the
     * history as if their movements had been recorded at their times", "imports and movements add up to one import of all, whichever come
     * first", "what is recorded and in no event yet is in the history beside imported accesses".
     */
    readonly addAccesses: (request: AccessImport) => Effect.Effect<ImportedAccesses, OrganizationNotFound | StoreError>
  }
>()("@sojourn/core/ImportStore") {}

/** The port for the identity of a storage, of which all that is derived with the operator's keys is. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageId } from "../../domain/keys/SecretKey.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** The random identity of a storage. It never changes. */
export class StorageIdentity extends Context.Service<
  StorageIdentity,
  {
    /** Law: `keys/StorageIdentity.ts` "the identity of a storage is the same whenever it is read". */
    readonly read: Effect.Effect<StorageId, StoreError>
  }
>()("@sojourn/core/StorageIdentity") {}

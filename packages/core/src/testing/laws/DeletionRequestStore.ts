import type * as Layer from "effect/Layer"
import { approvalLaws } from "./deletions/approvals.ts"
import { requestLaws } from "./deletions/requests.ts"
import type { Stores } from "../../ports/Stores.ts"
import { type LawOptions, suite } from "./suite.ts"

/** What every `DeletionRequestStore` promises. */
export const deletionRequestStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: DeletionRequestStore`, stores, [requestLaws, approvalLaws], options)

import type * as Layer from "effect/Layer"
import { approvalLaws } from "./deletions/approvals.ts"
import { requestLaws } from "./deletions/requests.ts"
import { type LawOptions, type StorePorts, suite } from "./suite.ts"

/** What every `DeletionRequestStore` promises. */
export const deletionRequestStoreLaws = <E>(
  name: string,
  stores: Layer.Layer<StorePorts, E>,
  options?: LawOptions
): void => suite(`${name}: DeletionRequestStore`, stores, [requestLaws, approvalLaws], options)

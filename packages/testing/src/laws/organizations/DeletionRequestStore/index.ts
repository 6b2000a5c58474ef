import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { approvalLaws } from "./approvals.ts"
import { requestLaws } from "./requests.ts"
import { type LawOptions, suite } from "../../shared/suite.ts"

/** What every `DeletionRequestStore` promises. */
export const deletionRequestStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: DeletionRequestStore`, stores, [requestLaws, approvalLaws], options)

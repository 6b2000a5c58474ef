import type * as Layer from "effect/Layer"
import { permissionRaceLaws } from "./permissions/races.ts"
import { permissionRecordLaws } from "./permissions/records.ts"
import type { Stores } from "../../ports/Stores.ts"
import { type LawOptions, suite } from "./suite.ts"

/** What every `PermissionStore` promises. */
export const permissionStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: PermissionStore`, stores, [permissionRecordLaws, permissionRaceLaws], options)

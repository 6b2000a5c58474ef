import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { permissionRaceLaws } from "./races.ts"
import { permissionRecordLaws } from "./records.ts"
import { type LawOptions, suite } from "../../shared/suite.ts"

/** What every `PermissionStore` promises. */
export const permissionStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: PermissionStore`, stores, [permissionRecordLaws, permissionRaceLaws], options)

/** The administrators' page as files, for a server to answer at its root. */
import type { PageSettings } from "./browser/shared/PageSettings.ts"
import { pageFiles as bundled } from "./files.ts"
import type { PageFile } from "./PageFile.ts"
import { withSettings } from "./settings.ts"

/** The files of the page, with the operator's settings in its document. Answer each with the policy of `policyOf`. */
export const pageFiles = async (settings: PageSettings = {}): Promise<ReadonlyArray<PageFile>> =>
  (await bundled()).map((file) => (file.path === "/" ? { ...file, text: withSettings(file.text, settings) } : file))

export { policyOf } from "./settings.ts"
export type { BaseMap, PageSettings, SignInIssuer } from "./browser/shared/PageSettings.ts"
export type { PageFile } from "./PageFile.ts"

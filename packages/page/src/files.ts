import type { PageFile } from "./PageFile.ts"

/**
 * The files of the page: `/`, `/favicon.svg`, and what they need below `/page/`.
 *
 * This module is the workspace's, which bundles the page when it is first asked for. In what is built, `embedPage` of
 * `bundle.ts` replaces it by the bundled files.
 */
export const pageFiles = async (): Promise<ReadonlyArray<PageFile>> => {
  const [{ build }, { bundlePage }] = await Promise.all([import("esbuild"), import("./bundle.ts")])
  return (await bundlePage(build)).files
}

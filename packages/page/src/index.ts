/** The administrators' page as files, for a server to answer at its root. */
export { pageFiles } from "./files.ts"
export type { PageFile } from "./PageFile.ts"

/** Which file of the repository is which page of the site. */
import { readdirSync } from "node:fs"
import { at, filesBelow, isFile } from "./repository.ts"

/** A page: the file that it is written in, and its path in the site, both with `.md`. */
export interface Page {
  readonly source: string
  readonly path: string
}

/** The first page, which alone has no heading: what the product is, a picture of it, and three ways to start. */
export const HOME: Page = { source: "site/pages/home.md", path: "index.md" }

const readmes = (folder: string): ReadonlyArray<string> =>
  readdirSync(at(folder))
    .map((name) => `${folder}/${name}/README.md`)
    .filter(isFile)
    .sort()

/** `docs/decisions/README.md` is `decisions/index.md`, as web servers find it. */
const inSite = (source: string): string => source.replace(/^docs\//, "").replace(/(^|\/)README\.md$/, "$1index.md")

const SINGLE: ReadonlyArray<readonly [source: string, path: string]> = [
  ["README.md", "overview.md"],
  ["CONTRIBUTING.md", "contributing.md"],
  ["SECURITY.md", "security.md"],
  ["examples/README.md", "examples.md"],
  ["benchmarks/README.md", "benchmarks.md"]
]

/** Pages that are made when the site is, beside the references: their paths and titles. */
export const MADE_PAGES = [
  ["reference/command-line.md", "The command line"],
  ["changes.md", "Changes"]
] as const

/** Every page that is written by hand: all of `docs/`, the packages' own, results of benchmarks, and a few of the root. */
export const writtenPages = (): ReadonlyArray<Page> => [
  ...SINGLE.filter(([source]) => isFile(source)).map(([source, path]) => ({ source, path })),
  ...filesBelow("docs", (path) => path.endsWith(".md")).map((source) => ({ source, path: inSite(source) })),
  ...filesBelow("benchmarks/results", (path) => path.endsWith(".md")).map((source) => ({ source, path: source })),
  ...readmes("packages").map((source) => ({ source, path: source.replace(/\/README\.md$/, ".md") }))
]

/** The order in which the pages stand beside each other. `site/test/pages.test.ts` finds a page that is missing here. */
import { type ReferencePage, referencePages } from "../reference/pages.ts"
import { title } from "./headings.ts"
import { MADE_PAGES, writtenPages } from "./pages.ts"
import { read } from "./repository.ts"

export interface Entry {
  readonly text: string
  readonly link: string
}

export interface Group {
  readonly text: string
  readonly collapsed: boolean
  readonly items: ReadonlyArray<Entry>
}

/** `/`, `/decisions/`, `/http`: the address of a page. */
export const address = (path: string): string => `/${path.replace(/\.md$/, "").replace(/(^|\/)index$/, "$1")}`

/** The rules, in the order in which they are best read. */
const SPECIFICATION =
  "index stays organizations areas accounts feed history musters devices floorplans imports webhooks policies audit personal-data keys geofence http server".split(
    " "
  )

/** The title of a decision as `0001 Ports decide in one step`. */
const decisionText = (title: string): string => title.replace(/^(\d{4}): /, "$1 ")

/** `ofPackages` are the pages of the TypeScript reference, which are known once it is made. */
export const sidebar = (ofPackages: ReadonlyArray<ReferencePage> = []): ReadonlyArray<Group> => {
  const titles = new Map<string, string>([
    ...writtenPages().map(({ source, path }) => [path, title(read(source))] as const),
    ...MADE_PAGES
  ])
  const entries = (paths: Iterable<string>): ReadonlyArray<Entry> =>
    [...paths]
      .filter((path) => titles.has(path))
      .map((path) => ({ text: decisionText(titles.get(path)!), link: address(path) }))
  /** The pages of a folder in order, the one about all of them first. */
  const below = (folder: string) => {
    const paths = [...titles.keys()].filter((path) => path.startsWith(folder)).sort()
    return entries(new Set([`${folder}index.md`, ...paths]))
  }
  const open = (text: string, ...paths: ReadonlyArray<string>): Group => ({
    text,
    collapsed: false,
    items: entries(paths.map((path) => `${path}.md`))
  })
  const made = (pages: ReadonlyArray<ReferencePage>) =>
    pages.map(({ path, title }) => ({ text: title, link: address(path) }))
  return [
    open(
      "Start",
      "overview",
      "start/run",
      "start/embed",
      "start/import",
      "start/test",
      "how-do-i",
      "when-not-to-use-it"
    ),
    open("Understand", "concepts", "architecture", "glossary"),
    open("Specification", ...SPECIFICATION.map((page) => `specification/${page}`)),
    open(
      "Run",
      "tracker",
      "buildings",
      "page",
      "http",
      "problems",
      "reference/command-line",
      "webhooks",
      "identity",
      "operations",
      "privacy",
      "performance",
      "capacity",
      "threats"
    ),
    { text: "HTTP reference", collapsed: true, items: made(referencePages()) },
    { text: "TypeScript reference", collapsed: true, items: made(ofPackages) },
    open("Build", "adapters", "testing", "examples", "benchmarks"),
    { text: "Packages", collapsed: true, items: below("packages/") },
    { text: "Benchmark results", collapsed: true, items: below("benchmarks/") },
    open("The project", "state-of-the-project", "contributing", "security", "changes"),
    { text: "Decisions", collapsed: true, items: below("decisions/") }
  ]
}

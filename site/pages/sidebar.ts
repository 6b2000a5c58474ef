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

const GROUPS: ReadonlyArray<readonly [text: string, paths: ReadonlyArray<string>]> = [
  [
    "Start",
    ["overview.md", "start/run.md", "start/embed.md", "start/import.md", "start/test.md", "when-not-to-use-it.md"]
  ],
  ["Understand", ["concepts.md", "architecture.md", "glossary.md"]],
  [
    "Specification",
    [
      "specification/index.md",
      "specification/stays.md",
      "specification/organizations.md",
      "specification/areas.md",
      "specification/accounts.md",
      "specification/feed.md",
      "specification/history.md",
      "specification/musters.md",
      "specification/webhooks.md",
      "specification/policies.md",
      "specification/personal-data.md",
      "specification/keys.md",
      "specification/geofence.md",
      "specification/http.md",
      "specification/server.md"
    ]
  ],
  [
    "Run",
    [
      "tracker.md",
      "geofence.md",
      "page.md",
      "http.md",
      "problems.md",
      "reference/command-line.md",
      "webhooks.md",
      "identity.md",
      "operations.md",
      "privacy.md",
      "performance.md",
      "threats.md"
    ]
  ],
  ["Build", ["adapters.md", "testing.md", "mutation.md", "examples.md", "benchmarks.md"]],
  ["The project", ["state-of-the-project.md", "contributing.md", "security.md", "changes.md"]]
]

/** `/`, `/decisions/`, `/http`: the address of a page. */
export const address = (path: string): string => `/${path.replace(/\.md$/, "").replace(/(^|\/)index$/, "$1")}`

const NUMBER = /^\d{4}: /

/** `ofPackages` are the pages of the TypeScript reference, which are known once it is made. */
export const sidebar = (ofPackages: ReadonlyArray<ReferencePage> = []): ReadonlyArray<Group> => {
  const titles = new Map<string, string>([
    ...writtenPages().map(({ source, path }) => [path, title(read(source))] as const),
    ...MADE_PAGES
  ])
  const entry = (path: string): Entry => ({ text: titles.get(path)!, link: address(path) })
  const below = (folder: string) => [...titles.keys()].filter((path) => path.startsWith(folder)).sort()
  const [start, understand, specification, run, build, project] = GROUPS.map(([text, paths]) => ({
    text,
    collapsed: false,
    items: paths.filter((path) => titles.has(path)).map(entry)
  }))
  const decisions = below("decisions/").sort((one, other) =>
    one.endsWith("index.md") ? -1 : other.endsWith("index.md") ? 1 : one < other ? -1 : 1
  )
  return [
    start!,
    understand!,
    specification!,
    run!,
    {
      text: "HTTP reference",
      collapsed: true,
      items: referencePages().map(({ path, title }) => ({ text: title, link: address(path) }))
    },
    {
      text: "TypeScript reference",
      collapsed: true,
      items: ofPackages.map(({ path, title }) => ({ text: title, link: address(path) }))
    },
    build!,
    { text: "Packages", collapsed: true, items: below("packages/").map(entry) },
    { text: "Benchmark results", collapsed: true, items: below("benchmarks/").map(entry) },
    project!,
    {
      text: "Decisions",
      collapsed: true,
      items: decisions.map((path) => ({
        ...entry(path),
        text: titles.get(path)!.replace(NUMBER, (number) => `${number.slice(0, 4)} `)
      }))
    }
  ]
}

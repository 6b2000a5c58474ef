/** What changed: what the next version will bring, and the change logs of the packages. */
import { readdirSync } from "node:fs"
import { at, isFile, read } from "../pages/repository.ts"

const packages = (): ReadonlyArray<string> => readdirSync(at("packages")).sort()

const changesets = (): ReadonlyArray<readonly [packages: string, text: string]> =>
  readdirSync(at(".changeset"))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .sort()
    .map((name) => {
      const [, head = "", text = ""] = /^---\n([\s\S]*?)---\n([\s\S]*)$/.exec(read(`.changeset/${name}`)) ?? []
      return [[...head.matchAll(/"@sojourn\/([\w-]+)"/g)].map(([, name]) => name).join(", "), text.trim()]
    })

const logs = (): ReadonlyArray<string> =>
  packages()
    .map((folder) => `packages/${folder}/CHANGELOG.md`)
    .filter(isFile)
    .map((path) => read(path).replaceAll(/^(#+) /gm, "#$1 "))

/** The page, in Markdown. */
export const changesPage = (): string => {
  const next = changesets().map(([packages, text]) => `- **${packages}**: ${text.replaceAll("\n", "\n  ")}`)
  return `# Changes\n\n## The next version\n\n${next.join("\n")}\n\n${logs().join("\n")}`
}

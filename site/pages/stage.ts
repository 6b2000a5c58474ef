/** Lays the pages out as the generator reads them: links rewritten, what is linked beside them, and what is generated. */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { changesPage } from "../reference/changes.ts"
import { commandLinePage } from "../reference/commandLine.ts"
import { recorded } from "../reference/exchanges.ts"
import { referencePages } from "../reference/pages.ts"
import { typescriptPages } from "../reference/typescript.ts"
import { follow, mapLinks } from "./links.ts"
import { llmsText } from "./llms.ts"
import { HOME, MADE_PAGES, type Page, writtenPages } from "./pages.ts"
import { at, isFolder, read } from "./repository.ts"
import { sidebar } from "./sidebar.ts"

/** Where the generator finds the pages. */
const staged = at("site/.cache/pages")

const write = (path: string, text: string): void => {
  const file = join(staged, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A file or a folder of the sources as a page: the site needs no repository beside it. */
const sourcePage = (source: string): string => {
  const content = isFolder(source) ? readdirSync(at(source)).sort().join("\n") : read(source)
  const language = isFolder(source) ? "text" : (/\.(\w+)$/.exec(source)?.[1] ?? "text")
  // More marks than any run of them inside.
  const fence = "`".repeat(Math.max(3, ...[...content.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `---\nsearch: false\noutline: false\n---\n\n# ${posix.basename(source)}\n\n\`${source}\`\n\n${fence}${language}\n${content.trimEnd()}\n${fence}\n`
}

/** Removes comments: they address the checker of code blocks, not the reader. */
const withoutComments = (text: string): string => text.replace(/^ *<!--[\s\S]*?-->\n/gm, "")

/** What is made of programs that run: the examples of the reference, and what commands say of themselves. */
const made = async (): Promise<ReadonlyArray<{ readonly path: string; readonly text: string }>> => {
  const texts = { "reference/command-line.md": await commandLinePage(), "changes.md": changesPage() }
  return [...MADE_PAGES.map(([path]) => ({ path, text: texts[path] })), ...referencePages(await recorded())]
}

/** Lays out every page, and gives their paths. */
export const stage = async (): Promise<ReadonlyArray<string>> => {
  rmSync(staged, { recursive: true, force: true })
  const written = writtenPages()
  const bySource = new Map<string, Page>(written.map((page) => [page.source, page]))
  const sources = new Map<string, string>()
  const images = new Set<string>()

  for (const { source, path } of [HOME, ...written]) {
    const relative = (to: string) => {
      const found = posix.relative(posix.dirname(path), to)
      return found.startsWith(".") ? found : `./${found}`
    }
    write(
      path,
      mapLinks(withoutComments(read(source)), (target) => {
        const found = follow(source, target, bySource)
        if (found._tag === "Page") return `${relative(found.page.path)}${found.anchor && `#${found.anchor}`}`
        if (found._tag === "Image") {
          images.add(found.source)
          return relative(found.source)
        }
        sources.set(found.source, `files/${found.source}.md`)
        return relative(`files/${found.source}.md`)
      })
    )
  }
  for (const image of images) {
    mkdirSync(dirname(join(staged, image)), { recursive: true })
    copyFileSync(at(image), join(staged, image))
  }
  for (const [source, path] of sources) write(path, sourcePage(source))
  const ofPackages = await typescriptPages()
  const generated = [...(await made()), ...ofPackages]
  for (const { path, text } of generated) write(path, text)
  write("public/llms.txt", llmsText(ofPackages, process.env["SOJOURN_SITE_BASE"] ?? "/"))
  write("../sidebar.json", JSON.stringify(sidebar(ofPackages)))
  return [HOME.path, ...written.map(({ path }) => path), ...sources.values(), ...generated.map(({ path }) => path)]
}

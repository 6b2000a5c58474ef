/** Links as they are written for the repository, and as the site has them. */
import { posix } from "node:path"
import { withoutCode } from "./headings.ts"
import type { Page } from "./pages.ts"
import { home, isFile, isFolder } from "./repository.ts"

const LINK = /(!?\[(?:[^\][]|\[[^\]]*\])*\]\()([^()\s]+)(\))/g
const IMAGE = /(<(?:img|source)\b[^>]*?\b(?:src|srcset)=")([^"]+)(")/g

/** Texts of packages name files of the repository by their addresses, which lead there from a registry too. */
const ADDRESS = `${home}/blob/main/`

const isElsewhere = (target: string): boolean => /^[a-z]+:/i.test(target) && !target.startsWith(ADDRESS)

/** Replaces the target of every link of a page that stays in the repository, and leaves its code blocks alone. */
export const mapLinks = (text: string, replace: (target: string) => string): string => {
  const prose = withoutCode(text).split("\n")
  const swap = (whole: string, before: string, target: string, after: string) =>
    isElsewhere(target) ? whole : `${before}${replace(target)}${after}`
  const parts: Array<{ readonly isProse: boolean; readonly lines: Array<string> }> = []
  for (const [index, line] of text.split("\n").entries()) {
    const isProse = prose[index] === line
    const last = parts.at(-1)
    if (last?.isProse === isProse) last.lines.push(line)
    else parts.push({ isProse, lines: [line] })
  }
  // The words of a link may go on in the next line.
  return parts
    .map(({ isProse, lines }) =>
      isProse ? lines.join("\n").replace(LINK, swap).replace(IMAGE, swap) : lines.join("\n")
    )
    .join("\n")
}

/** Every link of a page that stays in the repository. */
export const linksOf = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  mapLinks(text, (target) => {
    found.push(target)
    return target
  })
  return found
}

/** What a link leads to: a page, an image, or a file or folder of the sources. */
export type Target =
  | { readonly _tag: "Page"; readonly page: Page; readonly anchor: string }
  | { readonly _tag: "Image"; readonly source: string }
  | { readonly _tag: "Source"; readonly source: string }

/** The file or folder that a link's path leads to. */
const sourceOf = (source: string, path: string): string => {
  if (path === "") return source
  if (path.startsWith(ADDRESS)) return path.slice(ADDRESS.length)
  return posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, "")
}

/** Follows a link of the file `source`. One that leads nowhere is an error. */
export const follow = (source: string, target: string, pages: ReadonlyMap<string, Page>): Target => {
  const [path = "", anchor = ""] = target.split("#")
  const found = sourceOf(source, path)
  const page = pages.get(found) ?? pages.get(`${found}/README.md`)
  if (page !== undefined) return { _tag: "Page", page, anchor }
  if (/\.(svg|png|jpe?g|webp)$/.test(found) && isFile(found)) return { _tag: "Image", source: found }
  if (isFile(found) || isFolder(found)) return { _tag: "Source", source: found }
  throw new Error(`${source}: the link ${target} leads nowhere`)
}

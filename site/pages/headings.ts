/** Titles and anchors of a page. */

/** The anchor of a heading, as forges make it: links to it work in the repository and on the site. */
export const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-")

const FENCE = /^\s*(`{3,}|~{3,})/

/** A page without its code blocks; its lines keep their numbers. */
export const withoutCode = (text: string): string => {
  let fence: string | undefined
  return text
    .split("\n")
    .map((line) => {
      const mark = FENCE.exec(line)?.[1]
      if (fence === undefined) {
        if (mark === undefined) return line
        fence = mark
      } else if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined
      return ""
    })
    .join("\n")
}

/** The words of a heading, without the marks of code, emphasis and links. */
const plain = (heading: string): string => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "")

export const headings = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading]) => plain(heading!))

/** The page's own name: its first heading. */
export const title = (text: string): string => {
  const [first] = headings(text)
  if (first === undefined) throw new Error("a page begins with a heading")
  return first
}

/** The anchors that a page sets itself, as `<a id="retry"></a>`. */
export const ownAnchors = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/<a id="([^"]*)"><\/a>/g)].map(([, id]) => id!)

/** The anchors of a page: its own, and those of its headings; a heading that stands there again gets a number, as forges do it. */
export const anchors = (text: string): ReadonlySet<string> => {
  const seen = new Map<string, number>()
  return new Set([
    ...ownAnchors(text),
    ...headings(text).map((heading) => {
      const slug = slugify(heading)
      const times = seen.get(slug) ?? 0
      seen.set(slug, times + 1)
      return times === 0 ? slug : `${slug}-${times}`
    })
  ])
}

/** `llms.txt` of the site: every page with what it is about, for programs that read it for people (llmstxt.org). */
import type { ReferencePage } from "../reference/pages.ts"
import { writtenPages } from "./pages.ts"
import { read } from "./repository.ts"
import { address, type Group, sidebar } from "./sidebar.ts"

/** The first sentence of a page, without marks: what follows its heading and is no table, block or list. */
export const summaryOf = (text: string): string => {
  const paragraphs = text.replaceAll(/<!--[\s\S]*?-->/g, "").split(/\n\s*\n/)
  const first = paragraphs
    .map((one) => one.trim())
    .find((one) => /^(?!```)[A-Z`[*]/.test(one) && !/^Accepted \d/.test(one))
  const plain = (first ?? "")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]|\s+/g, (mark) => (/\s/.test(mark) ? " " : ""))
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain
}

/** A page as a file of the site. */
const fileOf = (link: string): string => (link.endsWith("/") ? link : `${link}.html`)

/** The text. Groups that are folded away in the sidebar are the optional ones. */
export const llmsText = (ofPackages: ReadonlyArray<ReferencePage>, base: string): string => {
  const summaries = new Map(writtenPages().map(({ source, path }) => [address(path), summaryOf(read(source))]))
  const lines = ({ items }: Group) =>
    items.map(({ text, link }) => {
      const summary = summaries.get(link) ?? ""
      return `- [${text}](${base.replace(/\/$/, "")}${fileOf(link)})${summary && `: ${summary}`}`
    })
  const groups = sidebar(ofPackages)
  const main = groups
    .filter(({ collapsed }) => !collapsed)
    .map((group) => [`## ${group.text}`, "", ...lines(group), ""])
  const optional = groups.filter(({ collapsed }) => collapsed).flatMap(lines)
  return [
    "# Sojourn",
    "",
    "> Records when people enter and leave organizations and their places. A server with an HTTP interface, and a library for TypeScript",
    "> with Effect. The npm packages `@sojourn/*` have an `AGENTS.md` each, which says how to use them.",
    "",
    ...main.flat(),
    "## Optional",
    "",
    ...optional,
    ""
  ].join("\n")
}

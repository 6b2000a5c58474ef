/** Templates of HTML that escape every text in them. */

/** A piece of a document. It is made by `html` alone. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template; `undefined` and `false` are left out. */
export type Part = Html | string | number | undefined | false | ReadonlyArray<Part>

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(textOf).join("")
  if (part === undefined || part === false) return ""
  return String(part).replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!)
}

/** A template. Texts in it are escaped, pieces are taken as they are, and the indentation of the template itself is left out. */
export const html = ({ raw }: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(raw.map((string, index) => string.replaceAll(/\n\s*/g, "\n") + textOf(parts[index])).join(""))

/** The parts with a separator between each two. */
export const joined = (parts: ReadonlyArray<Part>, separator: string): Part =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))

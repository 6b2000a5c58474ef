/** The first page of the site: what the product is, a picture of it, and three ways to start. */
import { readdirSync } from "node:fs"
import { at } from "./repository.ts"

/** The pictures of the administrators' page, light first. There are none before `npm run page` has taken them. */
export const pictures = (): ReadonlyArray<string> =>
  readdirSync(at("docs/images"))
    .filter((name) => /^page-(light|dark)\.(svg|png|webp|jpe?g)$/.test(name))
    .sort()
    .reverse()
    .map((name) => `docs/images/${name}`)

const STARTS = [
  [
    "Run the server",
    "/start/run",
    "One command serves a demo, with a page for administrators and commands to paste. It needs Node, and nothing else."
  ],
  [
    "Embed it",
    "/start/embed",
    "Use cases in your own routes, or the whole interface below a path: in Hono, Express, Fastify or NestJS."
  ],
  [
    "Test rules in memory",
    "/start/test",
    "Every rule is a pure function, and the laws of every port run on an adapter of yours."
  ]
] as const

/** Both pictures, each for the readers who prefer it. */
const picture = (images: ReadonlyArray<string>): string => {
  const of = (shade: string) => images.find((image) => image.includes(`page-${shade}`))
  const light = of("light") ?? of("dark")
  if (light === undefined) return ""
  const dark = of("dark")
  const source = dark === undefined ? "" : `<source media="(prefers-color-scheme: dark)" srcset="./${dark}">`
  return `\n<p style="margin-top: 48px"><picture>${source}<img src="./${light}" alt="The administrators' page: a map of the areas, with how many people are inside of each"></picture></p>\n`
}

/** The page, in Markdown with the front matter of the site's generator. */
export const homePage = (images: ReadonlyArray<string> = pictures()): string => `---
layout: home
hero:
  name: Sojourn
  text: How many are inside, as it changes
  tagline: Phones report entrances and exits of buildings, campuses and events. Administrators follow counts live, hold musters, and read who was there, as far as they may.
  actions:
    - { theme: brand, text: Start, link: /start/run }
    - { theme: alt, text: Embed it, link: /start/embed }
    - { theme: alt, text: In five minutes, link: /overview }
features:
${STARTS.map(([title, link, details]) => `  - ${JSON.stringify({ title, link, details })}`).join("\n")}
---
${picture(images)}
What is answered with success is on the disk. An anonymous stay is stored without its user. Each rule names the test that proves it:
[rules](./rules.md). What it is not: [state of the project](./state-of-the-project.md), [when not to use it](./when-not-to-use-it.md).
`

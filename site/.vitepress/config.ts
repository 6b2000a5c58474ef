import { readFileSync } from "node:fs"
import { defineConfig } from "vitepress"
import { slugify } from "../pages/headings.ts"

/** The site. Its pages are laid out by `pages/stage.ts`; nothing of it is loaded from anywhere else. */
export default defineConfig({
  title: "Sojourn",
  description: "Records when people enter and leave organizations and their places",
  lang: "en",
  base: process.env["SOJOURN_SITE_BASE"] ?? "/",
  srcDir: ".cache/pages",
  outDir: "dist",
  cacheDir: ".cache/vitepress",
  ignoreDeadLinks: false,
  markdown: { anchor: { slugify }, toc: { slugify } },
  themeConfig: {
    search: { provider: "local", options: { detailedView: true } },
    // Laid out with the pages: this file is bundled, and what makes the reference is not.
    sidebar: JSON.parse(readFileSync(new URL("../.cache/sidebar.json", import.meta.url), "utf8")),
    nav: [
      { text: "Start", link: "/start/run" },
      { text: "Embed", link: "/start/embed" },
      { text: "Concepts", link: "/concepts" },
      { text: "HTTP", link: "/http" },
      { text: "Decisions", link: "/decisions/" }
    ],
    outline: [2, 3]
  }
})

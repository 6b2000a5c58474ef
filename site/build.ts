/** Builds the site into `site/dist`: plain files, for any web server. */
import { build } from "vitepress"
import { at } from "./pages/repository.ts"
import { stage } from "./pages/stage.ts"

const pages = await stage()
await build(at("site"))
console.log(`${pages.length} pages in site/dist`)

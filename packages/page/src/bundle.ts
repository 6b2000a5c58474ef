/** Bundles the browser's part of the page into files, with esbuild. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, extname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import type { PageFile } from "./PageFile.ts"

/** What the page uses of esbuild, whose own types the package does not publish. */
type Build = (options: any) => Promise<any>

/** The files of the page, and the paths of the modules that are in them. */
interface BundledPage {
  readonly files: ReadonlyArray<PageFile>
  readonly inputs: ReadonlyArray<string>
}

const browser = (name: string) => fileURLToPath(new URL(`browser/${name}`, import.meta.url))

const html = (script: string, chunks: ReadonlyArray<string>, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sojourn</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
${chunks.map((chunk) => `<link rel="modulepreload" href="${chunk}">`).join("\n")}
<script type="module" src="${script}"></script>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript.</noscript></div>
</body>
</html>
`

/** What the page uses of an input in esbuild's metafile, and of an output. */
interface Module {
  readonly imports: ReadonlyArray<{ readonly path: string; readonly kind: string }>
  readonly entryPoint?: string
}

/** What the plugins use of esbuild's `PluginBuild`. */
interface PluginBuild {
  readonly esbuild: { readonly build: Build }
  readonly onResolve: (
    options: { filter: RegExp },
    resolve: (import_: { path: string; kind: string; resolveDir: string }) => object | undefined
  ) => void
  readonly onLoad: (
    options: { filter: RegExp },
    load: (file: { path: string; pluginData: unknown }) => object | undefined | Promise<object>
  ) => void
  readonly onEnd: (end: (result: { metafile?: { inputs: Record<string, unknown> } | undefined }) => void) => void
}

/**
 * Keeps what is loaded first in one file: each part that is opened later refers to all of it. Without that esbuild makes a file for each set
 * of parts that share something.
 */
const firstLoad = {
  name: "first-load",
  setup: ({ onResolve, onLoad }: PluginBuild) => {
    onResolve({ filter: /^/ }, ({ path, kind, resolveDir }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), pluginData: firstLoad } : undefined
    )
    onLoad({ filter: /^/ }, ({ path, pluginData }) => {
      if (pluginData !== firstLoad) return undefined
      const contents = `${readFileSync(path, "utf8")}\nexport { App } from ${JSON.stringify(browser("App.tsx"))}`
      return { contents, loader: extname(path).slice(1), resolveDir: dirname(path) }
    })
  }
}

/** Embeds the style of a part that is opened later as a text in its module, which applies it by `shared/useStyle.ts`. */
const laterStyles = {
  name: "later-styles",
  setup: ({ esbuild, onLoad }: PluginBuild) =>
    onLoad({ filter: /[\\/](board|devices|drawing|musters)\.css$/ }, async ({ path }) => {
      const { outputFiles } = await esbuild.build({ entryPoints: [path], minify: true, write: false })
      return { contents: outputFiles[0].text, loader: "text" }
    })
}

/** Bundles the page. The part that is loaded first is `main`; the others are loaded when they are opened. */
export const bundlePage = async (build: Build): Promise<BundledPage> => {
  const { outputFiles, metafile } = await build({
    entryPoints: { main: browser("main.tsx") },
    absWorkingDir: fileURLToPath(new URL("browser", import.meta.url)),
    outdir: "/page",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    // The modules of other packages are taken from their sources, which are there without a build.
    conditions: ["source"],
    target: "es2022",
    minify: true,
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    banner: { js: "/*! Contains preact and uqr, see /page/notices.txt */" },
    metafile: true,
    plugins: [laterStyles, firstLoad],
    write: false
  })
  // Which of the two imports is found first would decide which file has the module.
  const imported = Object.values<Module>(metafile.inputs).flatMap(({ imports }) => imports)
  const first = new Set(imported.filter(({ kind }) => kind === "import-statement").map(({ path }) => path))
  const twice = imported.find(({ path, kind }) => kind === "dynamic-import" && first.has(path))
  if (twice !== undefined) throw new Error(`${twice.path} is imported by statements and when it is used`)
  const toPath = (output: string) => `/page/${basename(output)}`
  const assets: ReadonlyArray<PageFile> = outputFiles.map(({ path, text }: { path: string; text: string }) => ({
    path: toPath(path),
    type: `text/${path.endsWith(".css") ? "css" : "javascript"}; charset=utf-8`,
    text
  }))
  // What is imported when it is used is an entry of its own, too.
  const [main, { imports }]: [string, Module] = Object.entries<Module>(metafile.outputs).find(
    ([path, { entryPoint }]) => entryPoint === "main.tsx" && path.endsWith(".js")
  )!
  const chunks = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => toPath(path))
  const style = assets.find(({ path }) => path.endsWith(".css"))!.path
  const image = (name: string): PageFile => ({
    path: name === "favicon.svg" ? `/${name}` : toPath(name),
    type: "image/svg+xml",
    text: readFileSync(browser(name), "utf8")
  })
  const { resolve } = createRequire(browser("main.tsx"))
  const notices = ["preact", "uqr"].map(
    (name) => `${name}\n\n${readFileSync(join(dirname(resolve(name)), "..", "LICENSE"), "utf8")}`
  )
  const files: ReadonlyArray<PageFile> = [
    { path: "/", type: "text/html; charset=utf-8", text: html(toPath(main), chunks, style) },
    ...["favicon.svg", "drill.svg", "evacuation.svg"].map(image),
    { path: "/page/notices.txt", type: "text/plain; charset=utf-8", text: notices.join("\n\n") },
    ...assets
  ]
  return { files, inputs: Object.keys(metafile.inputs).map((path) => browser(path)) }
}

/** An esbuild plugin that embeds the bundled page into what is built, and names its modules in the metafile. */
export const embedPage = {
  name: "embed-page",
  setup: ({ esbuild, onLoad, onEnd }: PluginBuild) => {
    let embedded: ReadonlyArray<string> = []
    onLoad({ filter: /[\\/]page[\\/]src[\\/]files\.ts$/ }, async () => {
      const { files, inputs } = await bundlePage(esbuild.build)
      embedded = inputs
      return { contents: `const files = ${JSON.stringify(files)}\nexport const pageFiles = async () => files\n` }
    })
    onEnd(({ metafile }) => {
      if (metafile === undefined) return
      for (const path of embedded) metafile.inputs[relative(process.cwd(), path)] = { bytes: 0, imports: [] }
    })
  }
}

/** An esbuild plugin that embeds the code of the thread that checks areas into what is built. */
import { fileURLToPath } from "node:url"

/** What the plugin uses of esbuild's `PluginBuild`, whose own types the package does not publish. */
interface PluginBuild {
  readonly esbuild: {
    readonly build: (options: object) => Promise<{ outputFiles?: ReadonlyArray<{ text: string }> | undefined }>
  }
  readonly onLoad: (options: { filter: RegExp }, load: () => Promise<{ contents: string }>) => void
}

const worker = fileURLToPath(new URL("worker.ts", import.meta.url))

/** Replaces `thread.ts` by a module that starts the thread from the bundled code of `worker.ts`. */
export const embedWorker = {
  name: "embed-worker",
  setup: ({ esbuild, onLoad }: PluginBuild) =>
    onLoad({ filter: /[\\/]service[\\/]src[\\/]areas[\\/]thread\.ts$/ }, async () => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [worker],
        bundle: true,
        // The code of a thread that is not a file is CommonJS.
        format: "cjs",
        platform: "node",
        target: "node22.19",
        conditions: ["source"],
        minify: true,
        legalComments: "none",
        write: false
      })
      const code = JSON.stringify(outputFiles![0]!.text)
      return {
        contents: `import { Worker } from "node:worker_threads"\nexport const startThread = () => new Worker(${code}, { eval: true, execArgv: [] })\n`
      }
    })
}

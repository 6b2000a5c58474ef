import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { PlatformUnsupported } from "./Errors.ts"

/** PostgreSQL in its npm package: without symlinks, and possibly not readable by other users. */
export interface Distribution {
  /** The folder with `bin`, `lib` and `share`. */
  readonly folder: string
  /** The version of the npm package, such as `18.4.0-beta.17`. */
  readonly version: string
  /** The major version of PostgreSQL, which a data directory is tied to. */
  readonly major: string
  /** Such as `linux-x64`. */
  readonly platform: string
}

const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`

const PUBLISHED = new Set([
  "darwin-arm64",
  "darwin-x64",
  "linux-arm",
  "linux-arm64",
  "linux-ia32",
  "linux-ppc64",
  "linux-x64",
  "windows-x64"
])

/** Fails with what this platform lacks. */
export const unsupported = (reason: string): PlatformUnsupported => new PlatformUnsupported({ platform, reason })

/**
 * Where the platform's package was installed. It is a dependency of this package, so it is looked for from here; and when
 * this code was bundled into another package, from where that package has this one.
 */
const resolve = (name: string): string | undefined => {
  const own = createRequire(import.meta.url)
  const from = [
    () => own,
    () => createRequire(own.resolve("@sojourn/embedded-postgres/package.json")),
    () => createRequire(join(process.cwd(), "package.json"))
  ]
  for (const requireOf of from) {
    try {
      return requireOf().resolve(name)
    } catch {
      // Not from here: the next one may know it.
    }
  }
  return undefined
}

/** The distribution for this platform, or `PlatformUnsupported`. */
export const distribution: Effect.Effect<Distribution, PlatformUnsupported> = Effect.suspend(() => {
  if (!PUBLISHED.has(platform)) return Effect.fail(unsupported("there is no package of PostgreSQL for this platform"))
  const name = `@embedded-postgres/${platform}`
  const entry = resolve(name)
  if (entry === undefined) {
    return Effect.fail(unsupported(`the package ${name} is not installed; were optional dependencies left out?`))
  }
  const root = join(dirname(entry), "..")
  const folder = join(root, "native")
  if (!existsSync(folder)) return Effect.fail(unsupported(`the package ${name} holds no programs`))
  const manifest: { readonly version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const major = manifest.version.split(".", 1)[0] ?? ""
  return Effect.succeed({ folder, version: manifest.version, major, platform })
})

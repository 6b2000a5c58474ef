/** A name that no adapter of the registry has, or no name at all: a suite must never pass because it ran nothing. */
export class UnknownAdapter extends Error {
  override readonly name = "UnknownAdapter"
}

/**
 * The adapters of a registry that a suite runs on: those named in `names` (separated by commas, as an environment
 * variable holds them), or all of them if it is undefined.
 */
export const selectAdapters = <A>(
  registry: Readonly<Record<string, A>>,
  names: string | undefined
): ReadonlyArray<readonly [name: string, adapter: A]> => {
  const known = Object.keys(registry)
  const selected = names === undefined ? known : names.split(",").map((name) => name.trim())
  if (known.length === 0) throw new UnknownAdapter("the registry holds no adapter")
  return [...new Set(selected)].map((name) => {
    const adapter = Object.hasOwn(registry, name) ? registry[name] : undefined
    if (adapter === undefined) {
      throw new UnknownAdapter(`no adapter is called ${JSON.stringify(name)}; known are: ${known.join(", ")}`)
    }
    return [name, adapter] as const
  })
}

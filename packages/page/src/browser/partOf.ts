/** What loads one of {@link import("./parts.ts")}, for `Lazy`. */
type Parts = typeof import("./parts.ts")

export const partOf =
  <Name extends keyof Parts>(name: Name) =>
  async (): Promise<{ readonly default: Parts[Name] }> => ({ default: (await import("./parts.ts"))[name] })

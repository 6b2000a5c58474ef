/** One of {@link import("./parts.ts")}, which are loaded when one of them is first shown. */
import type { ComponentProps, ComponentType } from "preact"
import { Lazy } from "./shared/Lazy.tsx"

type Parts = typeof import("./parts.ts")

interface PartProps<Name extends keyof Parts> {
  readonly name: Name
  readonly props: ComponentProps<Parts[Name]>
}

export const Part = <Name extends keyof Parts>({ name, props }: PartProps<Name>) => {
  const load = async () => ({ default: (await import("./parts.ts"))[name] as ComponentType<object> })
  return <Lazy load={load} props={props as object} />
}

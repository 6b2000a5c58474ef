/** A collapsible part of an organization's page, whose module is loaded when it is opened. */
import type { ComponentProps } from "preact"
import { Lazy } from "../shared/Lazy.tsx"
import { Details } from "../shared/Section.tsx"
import type { PanelProps } from "./model.ts"

interface Options extends PanelProps {
  readonly title: string
  readonly load: ComponentProps<typeof Lazy<PanelProps>>["load"]
}

export const Panel = ({ title, load, ...props }: Options) => (
  <Details title={<h2>{title}</h2>}>
    <Lazy load={load} props={props} />
  </Details>
)

/** The tables that `npm run capacity` prints and docs/capacity.md has, by the name that stands before them there. */
import { tableOfHandOver, tableOfMachines } from "./machines.ts"
import { tableOfPlan } from "./plan.ts"
import { tableOfServers } from "./servers.ts"

export const TABLES: Readonly<Record<string, () => string>> = {
  servers: tableOfServers,
  machines: tableOfMachines,
  "hand-over": tableOfHandOver,
  plan: tableOfPlan
}

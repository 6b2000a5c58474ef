/** What the operators of the service see: all organizations, requests to decide, new organizations, policies, imports, and callers. */
import { type OrganizationOverview, Refused } from "@sojourn/client"
import { useOpened } from "../shared/context.ts"
import { Fault, NotLoaded } from "../shared/NotLoaded.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { PartsTable, useParts } from "../shared/useParts.tsx"
import { Binding, Revocation } from "./Callers.tsx"
import { DeletionRequests } from "./DeletionRequests.tsx"
import { ImportAccesses } from "./ImportAccesses.tsx"
import { NewOrganization } from "./NewOrganization.tsx"
import { Policies } from "./Policies.tsx"

/** All organizations of the service, with how many places, administrators and people inside each has. */
const OrganizationTable = () => {
  const { words, formats, api } = useOpened()
  const parts = useParts(async (after: string | undefined) => {
    const page = await api.operator.listOrganizations({ after })
    return { rows: page?.organizations ?? [], next: page?.next }
  }, [])
  const numberOf = (name: "places" | "administrators" | "inside") => ({
    title: words[name],
    isNumber: true,
    cell: (row: OrganizationOverview) => formats.number(row[name])
  })
  return (
    <section>
      <h2>{words.allOrganizations}</h2>
      <PartsTable
        caption={words.allOrganizations}
        columns={[
          { title: words.name, cell: ({ name }) => <bdi>{name}</bdi> },
          { title: words.organizationId, isNumber: true, cell: ({ id }) => id },
          numberOf("places"),
          numberOf("administrators"),
          numberOf("inside")
        ]}
        parts={parts}
        keyOf={({ id }) => String(id)}
        file="organizations"
        toCsv={({ id, name, places, administrators, inside }) => ({ id, name, places, administrators, inside })}
      />
    </section>
  )
}

const Operators = () => {
  const { words, api } = useOpened()
  const { value, failure, reload } = useLoaded(api.operator.listDeletionRequests, [])
  if (failure instanceof Refused && failure.status === 403) {
    return <Fault>{words.notAdministrator}</Fault>
  }
  return (
    <article>
      <h1>{words.operators}</h1>
      {value === undefined ? <NotLoaded failure={failure} /> : <DeletionRequests requests={value} reload={reload} />}
      <OrganizationTable />
      <NewOrganization />
      <Policies />
      <ImportAccesses />
      <Binding />
      <Revocation />
    </article>
  )
}

export default Operators

/** What the operators of the service see: all organizations, requests to decide, new organizations, policies, imports, and callers. */
import { Refused } from "@sojourn/client"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import { Binding, Revocation } from "./Callers.tsx"
import { DeletionRequests } from "./DeletionRequests.tsx"
import { ImportAccesses } from "./ImportAccesses.tsx"
import { NewOrganization } from "./NewOrganization.tsx"
import { OrganizationTable } from "./OrganizationTable.tsx"
import { Policies } from "./Policies.tsx"

const Operators = () => {
  const { words, api } = useOpened()
  const { value, failure, reload } = useLoaded(api.operator.listDeletionRequests, [])
  if (failure instanceof Refused && failure.status === 403) {
    return (
      <p role="alert" class="fault">
        {words.notAdministrator}
      </p>
    )
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

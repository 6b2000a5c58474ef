/** What the operators of the service see: all organizations, requests to decide, new organizations, policies, imports, and callers. */
import type { DeletionRequest, OrganizationOverview } from "@sojourn/client"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { Section } from "../shared/Section.tsx"
import { type Action, useAction } from "../shared/useAction.tsx"
import { Fault, NotLoaded } from "../shared/NotLoaded.tsx"
import { isRefused, useLoaded } from "../shared/useLoaded.ts"
import { PartsTable, useParts } from "../shared/useParts.tsx"
import { Binding, Revocation } from "./Callers.tsx"
import { ImportAccesses } from "./ImportAccesses.tsx"
import { NewOrganization } from "./NewOrganization.tsx"
import { Policies } from "./Policies.tsx"

/** How many decided requests are listed, the latest first. */
const MAX_DECIDED = 20

interface PendingRequestProps {
  readonly request: DeletionRequest
  readonly action: Action
  readonly reload: () => void
}

const PendingRequest = ({ request, action: { isWaiting, run }, reload }: PendingRequestProps) => {
  const { words, formats, api } = useOpened()
  const { id, organizationId, administratorId, requestReason, creationDate } = request
  const organization = useLoaded(async () => {
    try {
      return await api.operator.readOrganization({ organizationId })
    } catch (failure) {
      if (isRefused(failure, 404)) return undefined
      throw failure
    }
  }, [organizationId])
  const name = organization.value?.name ?? `${organizationId}`
  const approve = () =>
    run(
      async () => {
        await api.operator.approveDeletionRequest({ id }).finally(reload)
        return words.goneDeleted(name)
      },
      { text: words.approveSure(name), action: words.approve, isDestructive: true }
    )
  const reject = () =>
    run(async () => {
      await api.operator.rejectDeletionRequest({ id }).finally(reload)
      return words.rejected(name)
    })
  return (
    <li aria-label={name}>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p>{words.requestedBy(administratorId, formats.moment(creationDate))}</p>
      <p>{requestReason === undefined ? words.noReason : `${words.reason}: ${requestReason}`}</p>
      <div class="bar">
        <ActionButton action={words.approve} of={name} class="destructive" disabled={isWaiting} onClick={approve} />
        <ActionButton action={words.reject} of={name} disabled={isWaiting} onClick={reject} />
      </div>
    </li>
  )
}

interface DeletionRequestsProps {
  readonly requests: ReadonlyArray<DeletionRequest>
  readonly reload: () => void
}

/** The requests of owners to delete their organizations, to be approved or rejected. */
const DeletionRequests = ({ requests, reload }: DeletionRequestsProps) => {
  const { words, formats } = useOpened()
  const action = useAction()
  const pending = requests.filter(({ status }) => status === "pending")
  const decided = requests.filter(({ status }) => status !== "pending")
  return (
    <Section title={words.deletionRequests}>
      <p role="status">{action.outcome}</p>
      {pending.length === 0 && <p>{words.noDeletionRequests}</p>}
      <ul class="list">
        {pending.map((request) => (
          <PendingRequest key={request.id} request={request} action={action} reload={reload} />
        ))}
      </ul>
      {decided.length > 0 && (
        <details>
          <summary>{words.decidedRequests}</summary>
          <ul class="list">
            {decided.slice(-MAX_DECIDED).map(({ id, organizationId, status, decisionDate, decidedBy }) => (
              <li key={id}>
                {words.decidedAs(
                  String(organizationId),
                  words.requestStatus[status],
                  decidedBy ?? "–",
                  decisionDate === undefined ? "–" : formats.moment(decisionDate)
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

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
  if (isRefused(failure, 403)) return <Fault>{words.notAdministrator}</Fault>
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

/** The requests of owners to delete their organizations, to be approved or rejected. */
import { type DeletionRequest, Refused } from "@sojourn/client"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { useAction } from "../shared/useAction.tsx"
import { useLoaded } from "../shared/useLoaded.ts"

/** How many decided requests are listed, the latest first. */
const MAX_DECIDED = 20

interface RequestProps {
  readonly request: DeletionRequest
  readonly isWaiting: boolean
  readonly onDecide: (verdict: "approve" | "reject", name: string) => void
}

const PendingRequest = ({ request, isWaiting, onDecide }: RequestProps) => {
  const { words, formats, api } = useOpened()
  const { organizationId, administratorId, requestReason, creationDate } = request
  const organization = useLoaded(async () => {
    try {
      return await api.operator.readOrganization({ organizationId })
    } catch (failure) {
      if (failure instanceof Refused && failure.status === 404) return undefined
      throw failure
    }
  }, [organizationId])
  const name = organization.value?.name ?? `${organizationId}`
  return (
    <li aria-label={name}>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p>{words.requestedBy(administratorId, formats.moment(creationDate))}</p>
      <p>{requestReason === undefined ? words.noReason : `${words.reason}: ${requestReason}`}</p>
      <div class="bar">
        <ActionButton
          action={words.approve}
          of={name}
          class="destructive"
          disabled={isWaiting}
          onClick={() => onDecide("approve", name)}
        />
        <ActionButton action={words.reject} of={name} disabled={isWaiting} onClick={() => onDecide("reject", name)} />
      </div>
    </li>
  )
}

interface DeletionRequestsProps {
  readonly requests: ReadonlyArray<DeletionRequest>
  readonly reload: () => void
}

export const DeletionRequests = ({ requests, reload }: DeletionRequestsProps) => {
  const { words, formats, api, ask } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const decide = async ({ id }: DeletionRequest, verdict: "approve" | "reject", name: string) => {
    const text = words.approveSure(name)
    if (verdict === "approve" && !(await ask({ text, action: words.approve, isDestructive: true }))) return
    run(async () => {
      try {
        if (verdict === "approve") await api.operator.approveDeletionRequest({ id })
        else await api.operator.rejectDeletionRequest({ id })
        return (verdict === "approve" ? words.approved : words.rejected)(name)
      } finally {
        reload()
      }
    })
  }
  const pending = requests.filter(({ status }) => status === "pending")
  const decided = requests.filter(({ status }) => status !== "pending")
  return (
    <section aria-labelledby="requests">
      <h2 id="requests">{words.deletionRequests}</h2>
      <p role="status">{outcome}</p>
      {pending.length === 0 ? (
        <p>{words.noDeletionRequests}</p>
      ) : (
        <ul class="list">
          {pending.map((request) => (
            <PendingRequest
              key={request.id}
              request={request}
              isWaiting={isWaiting}
              onDecide={(verdict, name) => void decide(request, verdict, name)}
            />
          ))}
        </ul>
      )}
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
    </section>
  )
}

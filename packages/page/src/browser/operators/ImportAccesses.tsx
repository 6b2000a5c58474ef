/** The import of accesses that another system recorded, from a file of CSV or NDJSON. */
import type { ImportedAccesses } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { IMPORT_TIMEOUT_MS } from "../shared/session.ts"
import { SubmitBar, useAction } from "../shared/useAction.tsx"

export const ImportAccesses = () => {
  const { words, formats, api } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const [refused, setRefused] = useState<ImportedAccesses["refused"]>([])
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    run(async () => {
      const file = form.get("file") as File
      const type = /json/.test(file.name) ? "application/x-ndjson" : "text/csv"
      setRefused([])
      const answer = await api.import.accesses(
        { organizationId: Number(form.get("organizationId")), body: file.slice(0, file.size, type) },
        { timeout: IMPORT_TIMEOUT_MS }
      )
      setRefused(answer.refused)
      return words.accessesImported(formats.number(answer.imported), formats.number(answer.skipped))
    })
  }
  return (
    <section aria-labelledby="importaccesses">
      <h2 id="importaccesses">{words.importAccesses}</h2>
      <form class="wide" onSubmit={submit}>
        <p>{words.importAccessesHint}</p>
        <label>
          {words.organizationId}
          <input name="organizationId" required inputMode="numeric" pattern="[0-9]+" />
        </label>
        <label>
          {words.accessesFile}
          <input name="file" type="file" required accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson" />
        </label>
        <SubmitBar label={words.importAccesses} outcome={outcome} disabled={isWaiting} />
      </form>
      {refused.length > 0 && (
        <DataTable
          caption={words.refusedRows}
          columns={[
            { title: words.row, isNumber: true, cell: ({ line }) => formats.number(line) },
            { title: words.reason, cell: ({ reason }) => reason }
          ]}
          rows={refused}
          keyOf={({ line }) => String(line)}
          file="refused"
          toCsv={({ line, reason }) => ({ line, reason })}
        />
      )}
    </section>
  )
}

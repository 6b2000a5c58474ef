/** The import of accesses that another system recorded, from a file of CSV or NDJSON. */
import type { ImportedAccesses } from "@sojourn/client"
import { useState } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { Field } from "../shared/fields.tsx"
import { Form } from "../shared/Form.tsx"
import { Section } from "../shared/Section.tsx"
import { IMPORT_TIMEOUT_MS } from "../shared/session.ts"
import { OrganizationField } from "./Callers.tsx"

export const ImportAccesses = () => {
  const { words, formats, api } = useOpened()
  const [refused, setRefused] = useState<ImportedAccesses["refused"]>([])
  const send = async (fields: Readonly<Record<string, string | File>>) => {
    const { organizationId, file } = fields as { organizationId: string; file: File }
    const type = /json/.test(file.name) ? "application/x-ndjson" : "text/csv"
    setRefused([])
    const answer = await api.import.accesses(
      { organizationId: Number(organizationId), body: file.slice(0, file.size, type) },
      { timeout: IMPORT_TIMEOUT_MS }
    )
    setRefused(answer.refused)
    return words.accessesImported(formats.number(answer.imported), formats.number(answer.skipped))
  }
  return (
    <Section title={words.importAccesses}>
      <Form class="wide" label={words.importAccesses} send={send}>
        <p>{words.importAccessesHint}</p>
        <OrganizationField />
        <Field
          label={words.accessesFile}
          name="file"
          type="file"
          required
          accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
        />
      </Form>
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
    </Section>
  )
}

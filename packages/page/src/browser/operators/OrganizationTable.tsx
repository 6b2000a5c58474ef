/** The table of all organizations of the service, with how many places, administrators and people inside each has. */
import { usePage } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { useParts } from "../shared/useParts.tsx"

export const OrganizationTable = () => {
  const { words, formats, api } = usePage()
  const { rows, isRead, status, more } = useParts(async (after: string | undefined) => {
    const page = await api.operator.listOrganizations({ after })
    return { rows: page?.organizations ?? [], next: page?.next }
  }, [])
  const numberOf = (name: "places" | "administrators" | "inside") => ({
    title: words[name],
    isNumber: true,
    cell: (row: (typeof rows)[number]) => formats.number(row[name])
  })
  return (
    <section>
      <h2>{words.allOrganizations}</h2>
      {status}
      {isRead ? (
        <DataTable
          caption={words.allOrganizations}
          columns={[
            { title: words.name, cell: ({ name }) => <bdi>{name}</bdi> },
            { title: words.organizationId, isNumber: true, cell: ({ id }) => id },
            numberOf("places"),
            numberOf("administrators"),
            numberOf("inside")
          ]}
          rows={rows}
          keyOf={({ id }) => String(id)}
          file="organizations"
          toCsv={({ id, name, places, administrators, inside }) => ({ id, name, places, administrators, inside })}
        >
          {more}
        </DataTable>
      ) : (
        more
      )}
    </section>
  )
}

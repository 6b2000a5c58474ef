/** The table of all organizations of the service, with how many places, administrators and people inside each has. */
import type { OrganizationOverview } from "@sojourn/client"
import { useOpened } from "../shared/context.ts"
import { PartsTable, useParts } from "../shared/useParts.tsx"

export const OrganizationTable = () => {
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

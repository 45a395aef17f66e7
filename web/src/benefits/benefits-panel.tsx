import type { BenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { benefitsList } from "@milkwood/domain/benefits/benefits.list"
import { claimTypeNames } from "@milkwood/domain/benefits/claim-type"
import { api } from "../platform/api.ts"
import { columnsOf, DataTable, tableOf } from "../ui/data-table.tsx"
import { BenefitDialog } from "./benefit-dialog.tsx"
import { useBenefitCommands } from "./benefits.api.ts"
import type { ListPlaceOf } from "./benefits-place.ts"
import { namedColumnLooks, useEditableRows } from "./edited-rows.tsx"

const columns = columnsOf<BenefitRow, typeof benefitsList>(benefitsList, {
  ...namedColumnLooks,
  claimTypes: { cell: ({ claimTypes }) => claimTypes.map((type) => claimTypeNames[type]).join(", ") },
})

export function BenefitsPanel({ list }: { list: ListPlaceOf<typeof benefitsList> }) {
  const { remove } = useBenefitCommands()
  const { addButton, actions, editing } = useEditableRows<BenefitRow>({
    add: "Add Benefit",
    nameOf: (row) => row.name,
    question: (row) => ({
      title: `Delete ${row.name}?`,
      body: "You can no longer choose it. A benefit in use by product benefits or claims cannot be deleted.",
      confirm: "Delete benefit",
    }),
    remove: remove.mutateAsync,
  })
  return (
    <>
      <DataTable
        {...tableOf(benefitsList)}
        list={list}
        query={(search) => api.benefits.benefits.list.queryOptions({ input: search })}
        columns={[...columns, ...actions]}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        tools={addButton}
        failed="Failed to fetch benefits"
        empty={{ title: "No benefits yet", words: "Each claim is for one benefit.", action: addButton }}
      />
      {editing && <BenefitDialog {...editing} />}
    </>
  )
}

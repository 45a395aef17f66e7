import { Button } from "@mantine/core"
import { documentReaderNames } from "@milkwood/domain/policies/policy-document"
import type { DocumentTypeRow } from "@milkwood/domain/policies/policy-documents.contract"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { benefitChoicesQuery } from "../benefits/benefits.api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { RowMenu } from "../ui/data-table/row-menu.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { documentTypesQuery, useDocumentTypeCommands } from "./policies.api.ts"

const DocumentTypeDialog = lazy(() => import("./document-type-dialog.tsx"))

export function DocumentTypes() {
  const types = useQuery(documentTypesQuery())
  const products = useQuery(benefitChoicesQuery()).data?.productTypes ?? []
  const [edited, setEdited] = useState<DocumentTypeRow | "new">()
  const { remove } = useDocumentTypeCommands()
  const confirm = useConfirm()
  const askToDelete = ({ id, name, version }: DocumentTypeRow) =>
    confirm({
      title: `Delete ${name}?`,
      body: "The type can no longer be chosen. A type with documents cannot be deleted.",
      confirm: "Delete type",
      danger: true,
      action: () => remove.mutateAsync({ id, version }),
    })
  const requiredBy = ({ requiredForAll, productTypeIds }: DocumentTypeRow) => {
    if (requiredForAll) return "Required for every policy"
    const names = products.filter(({ id }) => productTypeIds.includes(id)).map(({ name }) => name)
    return names.length > 0 ? `Required for ${names.join(", ")}` : "Not required"
  }
  return (
    <SettingsSection
      title="Document types"
      words="Activating a policy warns about missing required documents. Visibility applies to all documents of a type."
      query={types}
      failed="Failed to load document types"
    >
      <SettingsList label="Document types">
        {types.data?.map((type) => (
          <SettingsLine
            key={type.id}
            what={type.name}
            words={`${requiredBy(type)}. Visible to: ${documentReaderNames[type.readers].replace(/^./, (first) => first.toLowerCase())}.`}
          >
            <RowMenu
              label={`Actions for ${type.name}`}
              actions={() => [
                { label: "Edit type", onClick: () => setEdited(type) },
                { label: "Delete type", danger: true, onClick: () => void askToDelete(type) },
              ]}
            />
          </SettingsLine>
        ))}
      </SettingsList>
      <Button variant="default" mt="sm" onClick={() => setEdited("new")}>
        Add document type
      </Button>
      {edited && (
        <Suspense>
          <DocumentTypeDialog
            products={products}
            {...(edited !== "new" && { row: edited })}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </SettingsSection>
  )
}

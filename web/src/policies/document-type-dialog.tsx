import { MultiSelect, Radio, Select, Stack, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type DocumentReaders, documentReaderNames, documentReaders } from "@milkwood/domain/policies/policy-document"
import type { DocumentTypeRow } from "@milkwood/domain/policies/policy-documents.contract"
import { client } from "../platform/api.ts"
import { MergeNotice } from "../settings/merge-notice.tsx"
import { useMerge } from "../settings/use-merge.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useDocumentTypeCommands } from "./policies.api.ts"

interface Fields {
  name: string
  readers: DocumentReaders
  needed: "all" | "some" | "none"
  productTypeIds: string[]
}

interface DocumentTypeDialogProps {
  row?: DocumentTypeRow
  products: readonly { id: string; name: string }[]
  onClose: () => void
}

const fieldsOf = ({ name, readers, requiredForAll, productTypeIds }: DocumentTypeRow): Fields => ({
  name,
  readers,
  needed: requiredForAll ? "all" : productTypeIds.length > 0 ? "some" : "none",
  productTypeIds,
})

const requirementNames = { all: "Every policy", some: "Policies of some product types", none: "No policy" }

export default function DocumentTypeDialog({ row, products, onClose }: DocumentTypeDialogProps) {
  const { create, update } = useDocumentTypeCommands()
  const form = useForm<Fields>({
    initialValues: row ? fieldsOf(row) : { name: "", readers: "insurer", needed: "none", productTypeIds: [] },
    validate: {
      name: requireText("Enter a name"),
      productTypeIds: (ids, { needed }) => (needed === "some" && ids.length === 0 ? "Choose the product types" : null),
    },
  })
  const reload = async () => (await client.policies.documents.types.list({})).find(({ id }) => id === row!.id) ?? row!
  const { version, merge, keep } = useMerge(form, row, fieldsOf, reload)
  const save = ({ name, readers, needed, productTypeIds }: Fields) => {
    const requiredForAll = needed === "all"
    const input = { name, readers, requiredForAll, productTypeIds: needed === "some" ? productTypeIds : [] }
    return row ? update.mutateAsync({ ...input, id: row.id, version }).catch(keep) : create.mutateAsync(input)
  }
  const nameOf = (id: string) => products.find((product) => product.id === id)?.name ?? id
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={row ? "Edit document type" : "Add document type"}
      submit="Save"
      form={form}
      save={save}
    >
      <MergeNotice
        merge={merge}
        form={form}
        labels={{ name: "Name", readers: "Visible to", needed: "Required for", productTypeIds: "Product types" }}
        show={(field, value) =>
          field === "readers"
            ? documentReaderNames[value as DocumentReaders]
            : field === "needed"
              ? requirementNames[value as Fields["needed"]]
              : Array.isArray(value)
                ? value.map(nameOf).join(", ") || "–"
                : String(value)
        }
      />
      <TextInput label="Name" required maxLength={100} {...form.getInputProps("name")} />
      <Select
        label="Visible to"
        description="Limit this where documents contain ID numbers or health details"
        allowDeselect={false}
        data={documentReaders.map((value) => ({ value, label: documentReaderNames[value] }))}
        {...form.getInputProps("readers")}
      />
      <Radio.Group label="Required for" {...form.getInputProps("needed")}>
        <Stack gap="xs" mt="xs">
          {(["none", "some", "all"] as const).map((value) => (
            <Radio key={value} value={value} label={requirementNames[value]} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.needed === "some" && (
        <MultiSelect
          label="Product types"
          required
          searchable
          data={products.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("productTypeIds")}
        />
      )}
    </FormDialog>
  )
}

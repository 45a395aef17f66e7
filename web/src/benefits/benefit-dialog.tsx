import { Checkbox, Group, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { BenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { type ClaimType, claimTypeNames, claimTypes } from "@milkwood/domain/benefits/claim-type"
import { client } from "../platform/api.ts"
import { MergeNotice } from "../settings/merge-notice.tsx"
import { useMerge } from "../settings/use-merge.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useBenefitCommands } from "./benefits.api.ts"

interface Fields {
  name: string
  description: string
  claimTypes: ClaimType[]
}

const fieldsOf = ({ name, description, claimTypes }: Fields): Fields => ({ name, description, claimTypes })

const claimTypesText = (types: unknown) => (types as ClaimType[]).map((type) => claimTypeNames[type]).join(", ")

export function BenefitDialog({ row, onClose }: { row?: BenefitRow; onClose: () => void }) {
  const { create, update } = useBenefitCommands()
  const form = useForm<Fields>({
    initialValues: row ? fieldsOf(row) : { name: "", description: "", claimTypes: [] },
    validate: {
      name: requireText("Name is required"),
      claimTypes: (types) => (types.length === 0 ? "Choose at least one claim type" : null),
    },
  })
  const { version, merge, keep } = useMerge(form, row, fieldsOf, () => client.benefits.benefits.get({ id: row!.id }))
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`${row ? "Edit" : "Add"} Benefit`}
      submit="Save"
      form={form}
      save={(fields) =>
        row ? update.mutateAsync({ ...fields, id: row.id, version }).catch(keep) : create.mutateAsync(fields)
      }
    >
      <MergeNotice
        merge={merge}
        form={form}
        labels={{ name: "Name", description: "Description", claimTypes: "Claim types" }}
        show={(field, value) => (field === "claimTypes" ? claimTypesText(value) : String(value))}
      />
      <TextInput label="Name" required maxLength={100} {...form.getInputProps("name")} />
      <Textarea label="Description" autosize minRows={2} maxLength={1000} {...form.getInputProps("description")} />
      <Checkbox.Group
        label="Claim types"
        description="Only claims of these types can be submitted for the benefit"
        required
        {...form.getInputProps("claimTypes")}
      >
        <Group gap="sm" mt="xs">
          {claimTypes.map((type) => (
            <Checkbox key={type} value={type} label={claimTypeNames[type]} />
          ))}
        </Group>
      </Checkbox.Group>
    </FormDialog>
  )
}

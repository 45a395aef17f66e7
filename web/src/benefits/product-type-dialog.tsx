import { ActionIcon, Button, Fieldset, Group, NumberInput, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ProductTypeRow } from "@milkwood/domain/benefits/benefits.contract"
import { standardVatPercent } from "@milkwood/domain/benefits/vat"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { client } from "../platform/api.ts"
import { MergeNotice } from "../settings/merge-notice.tsx"
import { useMerge } from "../settings/use-merge.ts"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useProductTypeCommands } from "./benefits.api.ts"

interface Fields {
  name: string
  description: string
  /** the first rate, which held before all changes */
  percent: number | string
  changes: { key: string; from: string | null; percent: number | string }[]
}

function fieldsOf(row: Pick<ProductTypeRow, "name" | "description" | "vatRates">): Fields {
  const first = row.vatRates.find(({ from }) => from === null)
  return {
    name: row.name,
    description: row.description,
    percent: first?.percent ?? standardVatPercent,
    changes: row.vatRates.filter(({ from }) => from !== null).map((rate) => ({ key: String(rate.from), ...rate })),
  }
}

const aPercent = (value: number | string) =>
  typeof value === "number" && value >= 0 && value <= 100 ? null : "Give a rate from 0 to 100 %"

/** The dialog of a product type: name, description, and the VAT rate with its dated changes. */
export function ProductTypeDialog({ row, onClose }: { row?: ProductTypeRow; onClose: () => void }) {
  const { create, update } = useProductTypeCommands()
  const form = useForm<Fields>({
    initialValues: row ? fieldsOf(row) : fieldsOf({ name: "", description: "", vatRates: [] }),
    validate: {
      name: required("Name is required"),
      percent: aPercent,
      changes: { from: required("Give the day from which it holds"), percent: aPercent },
    },
  })
  const { version, merge, keep } = useMerge(form, row, fieldsOf, () =>
    client.benefits.productTypes.get({ id: row!.id }),
  )
  const save = (fields: Fields) => {
    const input = {
      name: fields.name,
      description: fields.description,
      vatRates: [
        { from: null, percent: Number(fields.percent) },
        ...fields.changes.map(({ from, percent }) => ({ from, percent: Number(percent) })),
      ],
    }
    return row ? update.mutateAsync({ ...input, id: row.id, version }).catch(keep) : create.mutateAsync(input)
  }
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`${row ? "Edit" : "Add"} Product Type`}
      submit="Save"
      form={form}
      save={save}
    >
      <MergeNotice
        merge={merge}
        form={form}
        labels={{ name: "Name", description: "Description", percent: "VAT rate", changes: "Changes of the VAT rate" }}
        show={(field, value) =>
          field === "changes" ? <Changes changes={value as Fields["changes"]} /> : value === "" ? "–" : String(value)
        }
      />
      <TextInput label="Name" required maxLength={100} {...form.getInputProps("name")} />
      <Textarea label="Description" autosize minRows={2} maxLength={1000} {...form.getInputProps("description")} />
      <Fieldset legend="VAT">
        <NumberInput
          label="VAT rate (%)"
          description="Invoices take the rate that holds on their date; those already made keep theirs."
          required
          min={0}
          max={100}
          decimalScale={2}
          styles={{ wrapper: { maxWidth: 200 } }}
          {...form.getInputProps("percent")}
        />
        {form.values.changes.map(({ key }, place) => (
          <Group key={key} align="flex-start" gap="xs" mt="xs" wrap="nowrap">
            <DayInput label="From" required {...form.getInputProps(`changes.${place}.from`)} />
            <NumberInput
              label="VAT rate (%)"
              required
              min={0}
              max={100}
              decimalScale={2}
              {...form.getInputProps(`changes.${place}.percent`)}
            />
            <ActionIcon
              aria-label={`Remove change ${place + 1} of the VAT rate`}
              title="Remove"
              variant="subtle"
              color="red"
              mt={26}
              onClick={() => form.removeListItem("changes", place)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            form.insertListItem("changes", { key: crypto.randomUUID(), from: null, percent: standardVatPercent })
          }
        >
          Add a change of rate
        </Button>
      </Fieldset>
    </FormDialog>
  )
}

function Changes({ changes }: { changes: Fields["changes"] }) {
  if (changes.length === 0) return "none"
  return changes.map(({ key, from, percent }) => (
    <span key={key}>
      {percent} % from <DayText day={from} />{" "}
    </span>
  ))
}

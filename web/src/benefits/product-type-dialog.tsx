import {
  ActionIcon,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  Select,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core"
import { type UseFormReturnType, useForm } from "@mantine/form"
import type { ProductTypeRow } from "@milkwood/domain/benefits/benefits.contract"
import { standardVatPercent, type VatClass, vatClasses, vatClassNames, vatClassOf } from "@milkwood/domain/benefits/vat"
import type { VatRate } from "@milkwood/domain/benefits/vat-shape"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { client } from "../platform/api.ts"
import { MergeNotice } from "../settings/merge-notice.tsx"
import { useMerge } from "../settings/use-merge.ts"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useProductTypeCommands } from "./benefits.api.ts"

interface VatFields {
  class: VatClass
  percent: number | string
}

interface Fields {
  name: string
  description: string
  isFuneral: boolean
  vat: VatFields
  changes: (VatFields & { key: string; from: string | null })[]
}

const standardVat: VatFields = { class: "standard", percent: standardVatPercent }

/** Untaxed classes keep the standard rate in the hidden field, so that choosing a taxed class again restores it. */
const toVatFields = ({ class: named, percent }: VatRate): VatFields => {
  const of = named ?? vatClassOf(percent)
  return of === "standard" ? { class: of, percent } : { class: of, percent: standardVatPercent }
}

const toVatRate = ({ class: named, percent }: VatFields) => ({
  class: named,
  percent: named === "standard" ? Number(percent) : 0,
})

function fieldsOf(row: Pick<ProductTypeRow, "name" | "description" | "isFuneral" | "vatRates">): Fields {
  const first = row.vatRates.find(({ from }) => from === null)
  return {
    name: row.name,
    description: row.description,
    isFuneral: row.isFuneral,
    vat: first ? toVatFields(first) : standardVat,
    changes: row.vatRates.flatMap((rate) =>
      rate.from === null ? [] : [{ key: rate.from, from: rate.from, ...toVatFields(rate) }],
    ),
  }
}

const percentProblem = (value: number | string, named: VatClass) =>
  named !== "standard" || (typeof value === "number" && value >= 0 && value <= 100)
    ? null
    : "Enter a rate from 0 to 100 %"

export function ProductTypeDialog({ row, onClose }: { row?: ProductTypeRow; onClose: () => void }) {
  const { create, update } = useProductTypeCommands()
  const form = useForm<Fields>({
    initialValues: row ? fieldsOf(row) : fieldsOf({ name: "", description: "", isFuneral: false, vatRates: [] }),
    validate: {
      name: requireText("Name is required"),
      vat: { percent: (value, { vat }) => percentProblem(value, vat.class) },
      changes: {
        from: requireText("Enter the start date"),
        percent: (value, { changes }, path) => percentProblem(value, changes[Number(path.split(".")[1])]!.class),
      },
    },
  })
  const { version, merge, keep } = useMerge(form, row, fieldsOf, () =>
    client.benefits.productTypes.get({ id: row!.id }),
  )
  const save = (fields: Fields) => {
    const input = {
      name: fields.name,
      description: fields.description,
      isFuneral: fields.isFuneral,
      vatRates: [
        { from: null, ...toVatRate(fields.vat) },
        ...fields.changes.map(({ from, ...vat }) => ({ from, ...toVatRate(vat) })),
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
        labels={{
          name: "Name",
          description: "Description",
          isFuneral: "Funeral product",
          vat: "VAT",
          changes: "VAT changes",
        }}
        show={(field, value) =>
          field === "changes" ? (
            <VatChanges changes={value as Fields["changes"]} />
          ) : field === "vat" ? (
            vatText(value as VatFields)
          ) : field === "isFuneral" ? (
            value ? (
              "Yes"
            ) : (
              "No"
            )
          ) : (
            String(value) || "–"
          )
        }
      />
      <TextInput label="Name" required maxLength={100} {...form.getInputProps("name")} />
      <Textarea label="Description" autosize minRows={2} maxLength={1000} {...form.getInputProps("description")} />
      <Checkbox
        label="Funeral product"
        description="Waiting periods are at most six months or a quarter of the policy's term, and never apply to accidental death."
        {...form.getInputProps("isFuneral", { type: "checkbox" })}
      />
      <Fieldset legend="VAT">
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <VatInputs form={form} path="vat" vat={form.values.vat} />
        </Group>
        <Text size="xs" c="dimmed" mt={4}>
          Invoices use the rate that applies on their date; existing invoices do not change. Charging VAT needs the
          organisation's VAT number.
        </Text>
        {form.values.changes.map(({ key, ...vat }, place) => (
          <Group key={key} align="flex-start" gap="xs" mt="xs">
            <DayInput label="From" required {...form.getInputProps(`changes.${place}.from`)} />
            <VatInputs form={form} path={`changes.${place}`} vat={vat} />
            <ActionIcon
              aria-label={`Remove VAT change ${place + 1}`}
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
          onClick={() => form.insertListItem("changes", { key: crypto.randomUUID(), from: null, ...standardVat })}
        >
          Add VAT change
        </Button>
      </Fieldset>
    </FormDialog>
  )
}

function VatInputs({ form, path, vat }: { form: UseFormReturnType<Fields>; path: string; vat: VatFields }) {
  return (
    <>
      <Select
        label="VAT class"
        required
        allowDeselect={false}
        data={vatClasses.map((value) => ({ value, label: vatClassNames[value] }))}
        w={160}
        {...form.getInputProps(`${path}.class`)}
      />
      {vat.class === "standard" && (
        <NumberInput
          label="VAT rate (%)"
          required
          min={0}
          max={100}
          decimalScale={2}
          w={120}
          {...form.getInputProps(`${path}.percent`)}
        />
      )}
    </>
  )
}

const vatText = ({ class: named, percent }: VatFields) => (named === "standard" ? `${percent} %` : vatClassNames[named])

function VatChanges({ changes }: { changes: Fields["changes"] }) {
  if (changes.length === 0) return "none"
  return changes.map(({ key, from, ...vat }) => (
    <span key={key}>
      {vatText(vat)} from <DayText day={from} />{" "}
    </span>
  ))
}

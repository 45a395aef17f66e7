import { NumberInput, Select, SimpleGrid, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ProductBenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { type Cents, type Currency, currencySigns, formatAmount, parseMoney } from "@milkwood/domain/kernel/money"
import { useQuery } from "@tanstack/react-query"
import { client } from "../platform/api.ts"
import { MergeNotice } from "../settings/merge-notice.tsx"
import { useMerge } from "../settings/use-merge.ts"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { invalidAmountMessage } from "../ui/money-input.tsx"
import { benefitChoicesQuery, useProductBenefitCommands } from "./benefits.api.ts"

/** Amounts as typed: blank is 0, invalid text is an error. */
interface Fields {
  productTypeId: string | null
  benefitId: string | null
  tierId: string | null
  cost: string
  coverAmount: string
  coverPercentage: number | string
}

const fieldsOf = (row: ProductBenefitRow): Fields => ({
  productTypeId: row.productTypeId,
  benefitId: row.benefitId,
  tierId: row.tierId,
  cost: formatAmount(row.costCents),
  coverAmount: formatAmount(row.coverAmountCents),
  coverPercentage: row.coverPercentage,
})
const emptyFields: Fields = {
  productTypeId: null,
  benefitId: null,
  tierId: null,
  cost: "",
  coverAmount: "",
  coverPercentage: "",
}

const labels = {
  productTypeId: "Product type",
  benefitId: "Benefit",
  tierId: "Benefit tier",
  cost: "Cost",
  coverAmount: "Cover amount",
  coverPercentage: "Cover %",
}

const amountValidator = (currency: Currency) => (text: string) => {
  const cents = text.trim() === "" ? 0 : parseMoney(text, currency)
  return cents !== null && cents >= 0 ? null : invalidAmountMessage(currency)
}
const centsOf = (text: string, currency: Currency): Cents => parseMoney(text, currency) ?? 0

interface ProductBenefitDialogProps {
  row?: ProductBenefitRow
  onClose: () => void
}

export function ProductBenefitDialog({ row, onClose }: ProductBenefitDialogProps) {
  const { create, update } = useProductBenefitCommands()
  const choices = useQuery(benefitChoicesQuery())
  const { currency } = useDisplay()
  const form = useForm<Fields>({
    initialValues: row ? fieldsOf(row) : emptyFields,
    validate: {
      productTypeId: requireText("Choose a product type"),
      benefitId: requireText("Choose a benefit"),
      tierId: requireText("Choose a benefit tier"),
      cost: amountValidator(currency),
      coverAmount: amountValidator(currency),
    },
  })
  const { version, merge, keep } = useMerge(form, row, fieldsOf, () =>
    client.benefits.productBenefits.get({ id: row!.id }),
  )
  const save = (fields: Fields) => {
    const input = {
      productTypeId: fields.productTypeId ?? "",
      benefitId: fields.benefitId ?? "",
      tierId: fields.tierId ?? "",
      costCents: centsOf(fields.cost, currency),
      coverAmountCents: centsOf(fields.coverAmount, currency),
      coverPercentage: Number(fields.coverPercentage),
    }
    return row ? update.mutateAsync({ ...input, id: row.id, version }).catch(keep) : create.mutateAsync(input)
  }
  const select = (name: "productTypeId" | "benefitId" | "tierId", of: "productTypes" | "benefits" | "tiers") => (
    <Select
      label={labels[name]}
      required
      searchable
      disabled={!choices.data}
      placeholder={choices.isPending ? "Loading..." : undefined}
      data={choices.data?.[of].map(({ id, name }) => ({ value: id, label: name })) ?? []}
      {...form.getInputProps(name)}
    />
  )
  const nameOf = (id: unknown) =>
    Object.values(choices.data ?? {})
      .flat()
      .find((choice) => choice.id === id)?.name ?? String(id)
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`${row ? "Edit" : "Add"} Product Benefit`}
      submit="Save"
      form={form}
      save={save}
    >
      <MergeNotice
        merge={merge}
        form={form}
        labels={labels}
        show={(field, value) => (field.endsWith("Id") ? nameOf(value) : String(value))}
      />
      {choices.isError && <LoadFailed error={choices.error} onRetry={choices.refetch} busy={choices.isFetching} />}
      {select("productTypeId", "productTypes")}
      {select("benefitId", "benefits")}
      {select("tierId", "tiers")}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={labels.cost}
          description="For information only; premiums do not use it"
          inputMode="decimal"
          leftSection={currencySigns[currency]}
          placeholder="0,00"
          autoComplete="off"
          {...form.getInputProps("cost")}
        />
        <TextInput
          label={labels.coverAmount}
          description="Maximum paid for claims; 0 means no maximum"
          inputMode="decimal"
          leftSection={currencySigns[currency]}
          placeholder="0,00"
          autoComplete="off"
          {...form.getInputProps("coverAmount")}
        />
      </SimpleGrid>
      <NumberInput
        label={labels.coverPercentage}
        description="Share of a claimed amount that is paid; 0 means not set (100 %)"
        min={0}
        max={100}
        allowDecimal={false}
        placeholder="0"
        {...form.getInputProps("coverPercentage")}
      />
    </FormDialog>
  )
}

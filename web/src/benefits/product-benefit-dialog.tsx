import { Fieldset, NumberInput, Select, SimpleGrid, Text, TextInput } from "@mantine/core"
import { type UseFormReturnType, useForm } from "@mantine/form"
import { dependentsText } from "@milkwood/domain/benefits/benefit-terms"
import type { ProductBenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { type Day, formatDay } from "@milkwood/domain/kernel/calendar"
import { type Currency, formatAmount, formatMoney, parseMoney } from "@milkwood/domain/kernel/money"
import { skipToken, useQuery } from "@tanstack/react-query"
import { api, client } from "../platform/api.ts"
import { MergeNotice } from "../settings/merge-notice.tsx"
import { useMerge } from "../settings/use-merge.ts"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { invalidAmountMessage } from "../ui/money-input.tsx"
import { AmountTextInput } from "./amount-text-input.tsx"
import { benefitChoicesQuery, useProductBenefitCommands } from "./benefits.api.ts"
import {
  type CoverFields,
  centsOf,
  coverFieldsOf,
  coverInputOf,
  coverLabels,
  DependentCovers,
  LimitInputs,
  noCover,
  YearSelect,
} from "./cover-fields.tsx"

/** Amounts as typed: blank is 0, invalid text is an error. */
interface Fields extends CoverFields {
  productTypeId: string | null
  benefitId: string | null
  tierId: string | null
  cost: string
  /** First incident day of changed cover. */
  from: Day | null
  reason: string
}

const fieldsOf = (row: ProductBenefitRow): Omit<Fields, "from" | "reason"> => ({
  productTypeId: row.productTypeId,
  benefitId: row.benefitId,
  tierId: row.tierId,
  cost: formatAmount(row.costCents),
  ...coverFieldsOf({ ...row, from: null, reason: null }),
})
const emptyFields: Omit<Fields, "from" | "reason"> = {
  productTypeId: null,
  benefitId: null,
  tierId: null,
  cost: "",
  ...noCover,
}

const labels = {
  productTypeId: "Product type",
  benefitId: "Benefit",
  tierId: "Benefit tier",
  cost: "Cost",
  ...coverLabels,
  from: "For incidents from",
  reason: "Reason for the correction",
}

const amountValidator = (currency: Currency) => (text: string) => {
  const cents = text.trim() === "" ? 0 : parseMoney(text, currency)
  return cents !== null && cents >= 0 ? null : invalidAmountMessage(currency)
}

const optional = (validate: (text: string) => string | null) => (text: string) =>
  text.trim() === "" ? null : validate(text)

interface ProductBenefitDialogProps {
  row?: ProductBenefitRow
  onClose: () => void
}

export function ProductBenefitDialog({ row, onClose }: ProductBenefitDialogProps) {
  const { create, update } = useProductBenefitCommands()
  const choices = useQuery(benefitChoicesQuery())
  const { currency, today } = useDisplay()
  const amount = amountValidator(currency)
  const limit = optional((text) => amount(text) ?? (centsOf(text, currency) > 0 ? null : "A limit must be above 0"))
  const form = useForm<Fields>({
    initialValues: { ...(row ? fieldsOf(row) : emptyFields), from: today, reason: "" },
    validate: {
      productTypeId: requireText("Choose a product type"),
      benefitId: requireText("Choose a benefit"),
      tierId: requireText("Choose a benefit tier"),
      cost: amount,
      coverAmount: amount,
      incidentLimit: limit,
      yearLimit: limit,
      dependents: { coverAmount: amount, incidentLimit: limit, yearLimit: limit },
      reason: (reason, values) =>
        isCoverChanged(values) && isPast(values.from) && reason.trim() === ""
          ? "Enter why cover of past days is corrected"
          : null,
    },
  })
  const { version, merge, keep } = useMerge(
    form,
    row,
    (stored) => ({ ...fieldsOf(stored), ...dated(form) }),
    () => client.benefits.productBenefits.get({ id: row!.id }),
  )
  const coverTextOf = (fields: CoverFields) => JSON.stringify(coverInputOf(fields, currency))
  const isCoverChanged = (fields: CoverFields) =>
    row !== undefined && coverTextOf(fields) !== coverTextOf(fieldsOf(row))
  const isPast = (day: Day | null) => day !== null && day < today
  const save = (fields: Fields) => {
    const input = {
      productTypeId: fields.productTypeId ?? "",
      benefitId: fields.benefitId ?? "",
      tierId: fields.tierId ?? "",
      costCents: centsOf(fields.cost, currency),
      ...coverInputOf(fields, currency),
    }
    const change = { from: fields.from, reason: isPast(fields.from) ? fields.reason : "" }
    return row
      ? update.mutateAsync({ ...input, ...change, id: row.id, version }).catch(keep)
      : create.mutateAsync(input)
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
        show={(field, value) =>
          field.endsWith("Id")
            ? nameOf(value)
            : field === "dependents"
              ? dependentsText(
                  value === null
                    ? null
                    : coverInputOf({ ...noCover, dependents: value as CoverFields["dependents"] }, currency).dependents,
                )
              : String(value)
        }
      />
      {choices.isError && <LoadFailed error={choices.error} onRetry={choices.refetch} busy={choices.isFetching} />}
      {select("productTypeId", "productTypes")}
      {select("benefitId", "benefits")}
      {select("tierId", "tiers")}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <AmountTextInput
          label={labels.cost}
          description="For information only; premiums do not use it"
          {...form.getInputProps("cost")}
        />
        <AmountTextInput
          label={labels.coverAmount}
          description="Maximum paid for claims; 0 means no maximum"
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
      <Fieldset legend="Salary multiple and limits">
        <LimitInputs form={form}>
          <YearSelect form={form} />
        </LimitInputs>
      </Fieldset>
      <DependentCovers form={form} />
      {row && isCoverChanged(form.values) && <ChangeDay form={form} row={row} isPast={isPast(form.values.from)} />}
      {row && row.terms.length > 1 && <TermsHistory terms={row.terms} />}
    </FormDialog>
  )
}

const dated = (form: UseFormReturnType<Fields>) => {
  const { from, reason } = form.getValues()
  return { from, reason }
}

/** When changed cover applies, and which claims it affects. */
function ChangeDay({
  form,
  row,
  isPast,
}: {
  form: UseFormReturnType<Fields>
  row: ProductBenefitRow
  isPast: boolean
}) {
  const { from } = form.values
  const effect = useQuery(
    api.benefits.productBenefits.effect.queryOptions({ input: from ? { id: row.id, from } : skipToken }),
  )
  return (
    <Fieldset legend="Changed cover">
      <DayInput
        label={labels.from}
        description="Earlier incidents keep the cover of their day"
        {...form.getInputProps("from")}
      />
      {isPast && <TextInput label={labels.reason} required maxLength={500} mt="sm" {...form.getInputProps("reason")} />}
      {effect.data && (effect.data.drafts.count > 0 || effect.data.submitted.count > 0) && (
        <Text size="sm" mt="sm">
          {effectText(effect.data)}
        </Text>
      )}
    </Fieldset>
  )
}

type Effect = Awaited<ReturnType<typeof api.benefits.productBenefits.effect.call>>

function effectText({ drafts, submitted }: Effect): string {
  const named = ({ count, examples }: Effect["drafts"]) =>
    `${count} (${examples.join(", ")}${count > examples.length ? ", …" : ""})`
  return [
    drafts.count > 0 && `Drafts that take the changed cover: ${named(drafts)}.`,
    submitted.count > 0 &&
      `Submitted claims that keep their cover until an approver accepts the change: ${named(submitted)}.`,
  ]
    .filter(Boolean)
    .join(" ")
}

function TermsHistory({ terms }: { terms: ProductBenefitRow["terms"] }) {
  const { currency, dayFormat } = useDisplay()
  const coverText = ({ coverAmountCents, salaryMultiple, coverPercentage, dependents }: (typeof terms)[number]) =>
    [
      salaryMultiple !== null
        ? `${salaryMultiple} × monthly salary`
        : coverAmountCents > 0
          ? formatMoney(coverAmountCents, currency)
          : "No maximum",
      `${coverPercentage || 100} %`,
      dependentsText(dependents),
    ].join(", ")
  return (
    <Fieldset legend="Cover over time">
      {terms.toReversed().map((term) => (
        <Text key={term.from ?? "first"} size="sm">
          {term.from ? `From ${formatDay(term.from, dayFormat)}` : "From the start"}: {coverText(term)}
          {term.reason && ` (corrected: ${term.reason})`}
        </Text>
      ))}
    </Fieldset>
  )
}

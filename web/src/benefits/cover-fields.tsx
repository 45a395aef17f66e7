import { ActionIcon, Button, Fieldset, NumberInput, SegmentedControl, Select, SimpleGrid, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import {
  type CoverAmount,
  type CoverYear,
  type DependentCover,
  type DependentKind,
  dependentKinds,
  insuredKindNames,
} from "@milkwood/domain/benefits/benefit-terms"
import type { ProductBenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { type Cents, type Currency, formatAmount, parseMoney } from "@milkwood/domain/kernel/money"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { AmountTextInput } from "./amount-text-input.tsx"

/** As typed: blank amounts are 0, blank limits and multiples are none. */
export interface AmountFields {
  coverAmount: string
  salaryMultiple: number | string
  coverPercentage: number | string
  incidentLimit: string
  yearLimit: string
}

export interface DependentFields extends AmountFields {
  key: string
  insured: DependentKind
  ageFrom: number | string
  ageTo: number | string
}

export interface CoverFields extends AmountFields {
  coverYear: CoverYear
  /** Null: dependents have the member's cover. */
  dependents: DependentFields[] | null
}

export const coverLabels = {
  coverAmount: "Cover amount",
  salaryMultiple: "× monthly salary",
  coverPercentage: "Cover %",
  incidentLimit: "Limit per incident",
  yearLimit: "Limit per year",
  coverYear: "Year",
  dependents: "Dependents",
}

export const noCover: CoverFields = {
  coverAmount: "",
  salaryMultiple: "",
  coverPercentage: "",
  incidentLimit: "",
  yearLimit: "",
  coverYear: "calendar",
  dependents: null,
}

export const centsOf = (text: string, currency: Currency): Cents => parseMoney(text, currency) ?? 0
const limitOf = (text: string, currency: Currency) => (text.trim() === "" ? null : centsOf(text, currency))
const numberOf = (value: number | string) => (value === "" ? null : Number(value))

const limitText = (cents: Cents | null) => (cents === null ? "" : formatAmount(cents))

/** The typed fields of terms that the server sent. */
export function coverFieldsOf(row: ProductBenefitRow["terms"][number]): CoverFields {
  return {
    coverAmount: formatAmount(row.coverAmountCents),
    salaryMultiple: row.salaryMultiple ?? "",
    coverPercentage: row.coverPercentage,
    incidentLimit: limitText(row.incidentLimitCents),
    yearLimit: limitText(row.yearLimitCents),
    coverYear: row.coverYear,
    dependents:
      row.dependents?.map((one) => ({
        key: `${one.insured} ${one.ageFrom}`,
        insured: one.insured,
        ageFrom: one.ageFrom,
        ageTo: one.ageTo ?? "",
        coverAmount: formatAmount(one.amountCents),
        salaryMultiple: one.salaryMultiple ?? "",
        coverPercentage: one.percentage,
        incidentLimit: limitText(one.incidentLimitCents),
        yearLimit: limitText(one.yearLimitCents),
      })) ?? null,
  }
}

function amountsOf(fields: AmountFields, currency: Currency): CoverAmount {
  return {
    amountCents: centsOf(fields.coverAmount, currency),
    salaryMultiple: numberOf(fields.salaryMultiple),
    percentage: Number(fields.coverPercentage),
    incidentLimitCents: limitOf(fields.incidentLimit, currency),
    yearLimitCents: limitOf(fields.yearLimit, currency),
  }
}

/** The input of the contract from typed fields. */
export function coverInputOf(fields: CoverFields, currency: Currency) {
  const { amountCents, percentage, ...member } = amountsOf(fields, currency)
  return {
    coverAmountCents: amountCents,
    coverPercentage: percentage,
    ...member,
    coverYear: fields.coverYear,
    dependents:
      fields.dependents?.map(
        (one): DependentCover => ({
          insured: one.insured,
          ageFrom: Number(one.ageFrom),
          ageTo: numberOf(one.ageTo),
          ...amountsOf(one, currency),
        }),
      ) ?? null,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the form has further fields, which these inputs do not use.
type Form = UseFormReturnType<any>

/** `children`: a further field of the grid. */
export function LimitInputs({ form, path = "", children }: { form: Form; path?: string; children?: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <NumberInput
        label={coverLabels.salaryMultiple}
        description="Instead of a cover amount"
        min={0}
        max={999}
        decimalScale={2}
        hideControls
        {...form.getInputProps(`${path}salaryMultiple`)}
      />
      <AmountTextInput
        label={coverLabels.incidentLimit}
        description="All claims of one incident"
        {...form.getInputProps(`${path}incidentLimit`)}
      />
      <AmountTextInput
        label={coverLabels.yearLimit}
        description="All claims of one year"
        {...form.getInputProps(`${path}yearLimit`)}
      />
      {children}
    </SimpleGrid>
  )
}

export function YearSelect({ form }: { form: Form }) {
  return (
    <Select
      label={coverLabels.coverYear}
      description="For the limit per year"
      allowDeselect={false}
      data={[
        { value: "calendar", label: "Calendar year" },
        { value: "policy", label: "Policy year" },
      ]}
      {...form.getInputProps("coverYear")}
    />
  )
}

const newRow = (insured: DependentKind, fields: AmountFields): DependentFields => ({
  key: crypto.randomUUID(),
  insured,
  ageFrom: 0,
  ageTo: "",
  coverAmount: fields.coverAmount,
  salaryMultiple: "",
  coverPercentage: fields.coverPercentage,
  incidentLimit: "",
  yearLimit: "",
})

/** Cover of dependents: the member's, or by relationship and age. */
export function DependentCovers({ form }: { form: Form }) {
  const dependents = form.values.dependents as DependentFields[] | null
  const next = dependentKinds.find((kind) => !dependents?.some(({ insured }) => insured === kind)) ?? "child"
  return (
    <Fieldset legend={coverLabels.dependents}>
      <SegmentedControl
        aria-label="Cover of dependents"
        fullWidth
        value={dependents === null ? "alike" : "own"}
        onChange={(value) => form.setFieldValue("dependents", value === "alike" ? null : [])}
        data={[
          { value: "alike", label: "As the member" },
          { value: "own", label: "By relationship" },
        ]}
      />
      {dependents?.length === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          Only the member is insured. Add a row for each relationship or age band that is insured.
        </Text>
      )}
      {dependents?.map(({ key, insured }, at) => (
        <Fieldset key={key} legend={insuredKindNames[insured]} mt="sm" variant="filled">
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" mb="sm">
            <Select
              label="Relationship"
              allowDeselect={false}
              data={dependentKinds.map((value) => ({ value, label: insuredKindNames[value] }))}
              {...form.getInputProps(`dependents.${at}.insured`)}
            />
            <NumberInput
              label="From age"
              min={0}
              max={150}
              allowDecimal={false}
              {...form.getInputProps(`dependents.${at}.ageFrom`)}
            />
            <NumberInput
              label="To age"
              placeholder="No limit"
              min={0}
              max={150}
              allowDecimal={false}
              {...form.getInputProps(`dependents.${at}.ageTo`)}
            />
            <AmountTextInput label={coverLabels.coverAmount} {...form.getInputProps(`dependents.${at}.coverAmount`)} />
            <NumberInput
              label={coverLabels.coverPercentage}
              min={0}
              max={100}
              allowDecimal={false}
              placeholder="0"
              {...form.getInputProps(`dependents.${at}.coverPercentage`)}
            />
          </SimpleGrid>
          <LimitInputs form={form} path={`dependents.${at}.`} />
          <ActionIcon
            aria-label={`Remove ${insuredKindNames[insured].toLowerCase()} row ${at + 1}`}
            title="Remove"
            variant="subtle"
            color="red"
            mt="xs"
            onClick={() => form.removeListItem("dependents", at)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Fieldset>
      ))}
      {dependents !== null && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => form.insertListItem("dependents", newRow(next, form.values))}
        >
          Add row
        </Button>
      )}
    </Fieldset>
  )
}

import { NumberInput, Select } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { policyFields } from "@milkwood/domain/policies/policy-fields"
import type { PolicyContact, PolicyCoverage, PolicyInformation } from "@milkwood/domain/policies/policy-shape"
import { useQuery } from "@tanstack/react-query"
import { benefitChoicesQuery } from "../benefits/benefits.api.ts"
import { DayInput } from "../ui/day-input.tsx"
import { FieldInputs } from "../ui/declared-fields.tsx"
import { MoneyInput } from "../ui/money-input.tsx"

export const fullWidthStyle = { gridColumn: "1 / -1" }

/** While the input is unreadable, the premium is null and the waiting period empty. */
export type CoverageFields = Omit<PolicyCoverage, "premiumCents" | "waitingPeriodMonths"> & {
  premiumCents: number | null
  waitingPeriodMonths: number | ""
}

interface FieldsProps<Values> {
  form: Pick<UseFormReturnType<Values>, "getInputProps">
}

export function InformationInputs<Values extends Omit<PolicyInformation, "groupName">>({
  form,
  startFixed = false,
}: FieldsProps<Values> & { startFixed?: boolean }) {
  const choices = useQuery(benefitChoicesQuery())
  const productType = form.getInputProps("productTypeId")
  return (
    <>
      <Select
        style={fullWidthStyle}
        label="Product type"
        required
        searchable
        clearable
        placeholder={choices.isPending ? "Loading..." : "Choose a product type"}
        nothingFoundMessage={choices.isSuccess ? "No matching product type" : undefined}
        data={choices.data?.productTypes.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        {...productType}
        error={productType.error ?? (choices.isError && "Product types could not be loaded. Try again.")}
      />
      <DayInput
        label="Start date"
        required
        disabled={startFixed}
        description={startFixed ? "Cannot be changed after the policy is activated" : undefined}
        {...form.getInputProps("startOn")}
      />
      <DayInput
        label="End date"
        description="Last day of cover; leave empty for none"
        {...form.getInputProps("endOn")}
      />
      <FieldInputs fields={policyFields} section="information" form={form} />
    </>
  )
}

export function CoverageInputs<Values extends CoverageFields>({
  form,
  rated = false,
}: FieldsProps<Values> & { rated?: boolean }) {
  return (
    <>
      <FieldInputs fields={policyFields} section="coverage" form={form} />
      <MoneyInput
        label="Premium"
        required
        description={rated ? "Replaced by the policy's rates" : "Per member per month"}
        {...form.getInputProps("premiumCents")}
      />
      <MoneyInput label="Sum assured" description="For each member" {...form.getInputProps("sumAssuredCents")} />
      <NumberInput
        label="Waiting period"
        description="Months from the start of a member's cover"
        min={0}
        max={120}
        allowDecimal={false}
        {...form.getInputProps("waitingPeriodMonths")}
      />
    </>
  )
}

/** Activation requires the name and the address. */
const special = { contactName: { required: true }, contactEmail: { required: true } }

export const ContactInputs = <Values extends PolicyContact>({ form }: FieldsProps<Values>) => (
  <FieldInputs fields={policyFields} section="contact" form={form} special={special} />
)

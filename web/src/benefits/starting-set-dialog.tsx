import { Button, Checkbox, Fieldset, Group, NumberInput, Select, SimpleGrid, TagsInput, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { insuredKindNames } from "@milkwood/domain/benefits/benefit-terms"
import { claimTypeNames, claimTypes } from "@milkwood/domain/benefits/claim-type"
import type { StartingSet } from "@milkwood/domain/benefits/starting-set"
import { standardVatPercent, type VatClass, vatClasses, vatClassNames, vatClassOf } from "@milkwood/domain/benefits/vat"
import { useQuery } from "@tanstack/react-query"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { benefitChoicesQuery, useStartingSetCommands } from "./benefits.api.ts"

interface StartingSetDialogProps {
  set: StartingSet
  onClose: () => void
}

/** Proposes a product type with benefits; nothing is stored until it is saved. */
export default function StartingSetDialog({ set, onClose }: StartingSetDialogProps) {
  const { add } = useStartingSetCommands()
  const choices = useQuery(benefitChoicesQuery())
  const form = useForm({
    initialValues: {
      productType: {
        name: set.name,
        description: set.description,
        isFuneral: set.isFuneral,
        vatRates: vatClassOf(set.vatPercent),
      },
      tiers: set.tiers,
      benefits: set.benefits.map((benefit) => ({ ...benefit, key: benefit.name })),
    },
    validate: {
      productType: { name: requireText("Name is required") },
      tiers: (tiers) => (tiers.length === 0 ? "Enter at least one benefit tier" : null),
      benefits: {
        name: requireText("Name is required"),
        claimTypes: (types) => (types.length === 0 ? "Choose at least one claim type" : null),
      },
    },
  })
  type Values = typeof form.values
  const save = ({ productType, tiers, benefits }: Values) =>
    add.mutateAsync({
      productType: {
        ...productType,
        vatRates: [
          {
            from: null,
            class: productType.vatRates,
            percent: productType.vatRates === "standard" ? standardVatPercent : 0,
          },
        ],
      },
      tiers,
      benefits: benefits.map(({ name, description, claimTypes, cover }) => ({
        name,
        description,
        claimTypes,
        cover: {
          coverAmountCents: cover.amountCents ?? 0,
          salaryMultiple: multipleOf(cover.salaryMultiple),
          coverPercentage: cover.percentage,
          incidentLimitCents: cover.incidentLimitCents,
          yearLimitCents: cover.yearLimitCents,
          dependents: cover.dependents?.map((row) => ({ ...row, amountCents: row.amountCents ?? 0 })) ?? null,
        },
      })),
    })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Add ${set.name}`}
      words="The amounts are suggestions. Change what differs in your contracts before you save."
      submit="Save set"
      size={720}
      form={form}
      save={save}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label="Product type" required maxLength={100} {...form.getInputProps("productType.name")} />
        <Select
          label="VAT class"
          required
          allowDeselect={false}
          data={vatClasses.map((value: VatClass) => ({ value, label: vatClassNames[value] }))}
          {...form.getInputProps("productType.vatRates")}
        />
      </SimpleGrid>
      <Checkbox label="Funeral product" {...form.getInputProps("productType.isFuneral", { type: "checkbox" })} />
      <TagsInput
        label="Benefit tiers"
        required
        description="Each tier gets the same cover, which you can change later under Benefits"
        data={choices.data?.tiers.map(({ name }) => name) ?? []}
        {...form.getInputProps("tiers")}
      />
      {form.values.benefits.map((benefit, at) => (
        <Fieldset key={benefit.key} legend={benefit.key}>
          <TextInput label="Benefit" required maxLength={100} {...form.getInputProps(`benefits.${at}.name`)} />
          <Checkbox.Group label="Claim types" required mt="sm" {...form.getInputProps(`benefits.${at}.claimTypes`)}>
            <Group gap="sm" mt="xs">
              {claimTypes.map((type) => (
                <Checkbox key={type} value={type} label={claimTypeNames[type]} />
              ))}
            </Group>
          </Checkbox.Group>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" mt="sm">
            <MoneyInput label="Member's cover" {...form.getInputProps(`benefits.${at}.cover.amountCents`)} />
            <NumberInput
              label="× monthly salary"
              min={0}
              max={999}
              decimalScale={2}
              hideControls
              {...form.getInputProps(`benefits.${at}.cover.salaryMultiple`)}
              value={benefit.cover.salaryMultiple ?? ""}
              error={form.errors[`benefits.${at}.cover.salaryMultiple`]}
            />
            <MoneyInput label="Limit per year" {...form.getInputProps(`benefits.${at}.cover.yearLimitCents`)} />
          </SimpleGrid>
          {benefit.cover.dependents?.map((row, place) => {
            const who = `${insuredKindNames[row.insured]}${row.ageTo === null ? "" : ` ${row.ageFrom} to ${row.ageTo}`}`
            const path = `benefits.${at}.cover.dependents`
            return (
              <Group key={who} align="flex-end" gap="xs" mt="sm">
                <MoneyInput label={`${who}: cover`} {...form.getInputProps(`${path}.${place}.amountCents`)} />
                <Button
                  variant="subtle"
                  aria-label={`Remove ${who} from ${benefit.key}`}
                  onClick={() => form.removeListItem(path, place)}
                >
                  Remove
                </Button>
              </Group>
            )
          })}
          {form.values.benefits.length > 1 && (
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              mt="sm"
              aria-label={`Leave out ${benefit.key}`}
              onClick={() => form.removeListItem("benefits", at)}
            >
              Leave out
            </Button>
          )}
        </Fieldset>
      ))}
    </FormDialog>
  )
}

/** Number inputs return text when they are emptied. */
const multipleOf = (value: number | string | null) => (value === null || value === "" ? null : Number(value))

import { ActionIcon, Button, Group, NumberInput, Select, SimpleGrid, Stack, Table, Text } from "@mantine/core"
import { type UseFormReturnType, useForm } from "@mantine/form"
import { useDebouncedValue } from "@mantine/hooks"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { defaultPremiumFrom } from "@milkwood/domain/policies/policy-rules"
import {
  personNames,
  perThousand,
  type RateRow,
  type RateTable,
  raiseRates,
  ratedPersons,
  type SumAssured,
} from "@milkwood/domain/policies/rates"
import { parsePastedRates } from "@milkwood/domain/policies/rates-paste"
import { rateTable } from "@milkwood/domain/policies/rates-shape"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type ClipboardEvent, useState } from "react"
import { EffectNote } from "../billing/effect-note.tsx"
import { api, client } from "../platform/api.ts"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { FutureChangesChoice } from "../ui/later-changes.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { usePolicyCommands } from "./policies.api.ts"
import { PolicySelect } from "./policy-select.tsx"
import classes from "./rates-dialog.module.css"
import { MonthNote } from "./rates-month.tsx"
import { useDatedTerms } from "./use-dated-terms.ts"

type Tiers = readonly { id: string; name: string }[]
type RateRowValues = RateRow & { key: string }

interface Fields {
  rows: RateRowValues[]
  ageOn: RateTable["ageOn"]
  sumKind: SumAssured["kind"] | "none"
  sumCents: number | null
  multiple: number | string
  sums: Record<string, number | null>
  fromOn: Day | null
  laterChanges: LaterChanges
}

let lastKey = 0
const withKey = (row: RateRow): RateRowValues => ({ ...row, key: `rate-${++lastKey}` })
const createEmptyRow = (): RateRowValues =>
  withKey({ person: "member", tierId: null, ageFrom: null, ageUntil: null, cents: null, perMille: null })

function fieldsOf(table: RateTable | null): Omit<Fields, "fromOn" | "laterChanges"> {
  const sum = table?.sumAssured ?? null
  return {
    rows: table ? table.rows.map(withKey) : [createEmptyRow()],
    ageOn: table?.ageOn ?? "month",
    sumKind: sum?.kind ?? "none",
    sumCents: sum?.kind === "fixed" ? sum.cents : null,
    multiple: sum?.kind === "salary" ? sum.multiple : "",
    sums: sum?.kind === "tier" ? Object.fromEntries(sum.sums.map(({ tierId, cents }) => [tierId, cents])) : {},
  }
}

function rateTableOf({ rows, ageOn, sumKind, sumCents, multiple, sums }: Fields) {
  const sumAssured =
    sumKind === "none"
      ? null
      : sumKind === "fixed"
        ? { kind: sumKind, cents: sumCents ?? 0 }
        : sumKind === "salary"
          ? { kind: sumKind, multiple: Number(multiple) }
          : {
              kind: sumKind,
              sums: Object.entries(sums).flatMap(([tierId, cents]) => (cents === null ? [] : [{ tierId, cents }])),
            }
  return rateTable.safeParse({ ageOn, sumAssured, rows: rows.map(({ key: _, ...row }) => row) })
}

interface RatesDialogProps {
  policy: PolicyDetail
  /** Null: the policy has a single premium. */
  table: RateTable | null
  tiers: Tiers
  onSaved?: ((policy: PolicyDetail) => void) | undefined
  onClose: () => void
}

export default function RatesDialog({ policy, table, tiers, onSaved, onClose }: RatesDialogProps) {
  const { saveRates } = usePolicyCommands()
  const { today, currency } = useDisplay()
  const [problem, setProblem] = useState<string>()
  const form = useForm<Fields>({ initialValues: { ...fieldsOf(table), fromOn: null, laterChanges: "keep" } })
  const { values } = form
  const dated = policy.status !== "Draft"
  const read = rateTableOf(values)
  const from = values.fromOn ?? (dated ? defaultPremiumFrom(policy.information, today) : null)
  const later = useDatedTerms(policy).later("premiums", values.fromOn)
  const take = (next: RateTable) => form.setValues(fieldsOf(next))
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text")
    if (!text.includes("\t")) return
    event.preventDefault()
    const { rows, unread } = parsePastedRates(text, tiers, currency)
    setProblem(unread.length > 0 ? `Could not read line ${unread.join(", ")} of the pasted rows` : undefined)
    const there = values.rows.filter((row) => row.cents !== null || row.perMille !== null)
    if (rows.length > 0) form.setFieldValue("rows", [...there, ...rows.map(withKey)])
  }
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={920}
      title={table ? "Edit rates" : "Use rates"}
      words={`One monthly rate per row, excl. VAT. You can paste rows from a spreadsheet with the columns who, tier, age from, age to, amount, rate ${perThousand(currency)}.`}
      submit="Save rates"
      form={form}
      save={async () => {
        if (!read.success) {
          const { path, message } = read.error.issues[0]!
          const row = path[0] === "rows" && typeof path[1] === "number" ? `Row ${path[1] + 1}: ` : ""
          throw new Error(`${row}${message}`)
        }
        const { id: policyId, version } = policy
        const saved = await saveRates.mutateAsync({
          policyId,
          version,
          rates: read.data,
          ...(dated && from ? { fromOn: from } : {}),
          ...(later.length > 0 ? { laterChanges: values.laterChanges } : {}),
        })
        onSaved?.(saved)
      }}
    >
      <Stack gap="sm" onPaste={paste}>
        <RateRows form={form} tiers={tiers} />
        {problem && <InlineError tone="warning">{problem}</InlineError>}
        <CopyRates ownId={policy.id} onCopied={take} onProblem={setProblem} />
        <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm">
          <Select
            label="Age as at"
            allowDeselect={false}
            data={[
              { value: "month", label: "The 1st of the month" },
              { value: "anniversary", label: "The policy's anniversary" },
            ]}
            {...form.getInputProps("ageOn")}
          />
          <Select
            label="Sum assured"
            description={`For rates ${perThousand(currency)}`}
            allowDeselect={false}
            data={[
              { value: "none", label: "None" },
              { value: "fixed", label: "One sum assured" },
              { value: "tier", label: "By tier" },
              { value: "salary", label: "Multiple of salary" },
            ]}
            {...form.getInputProps("sumKind")}
          />
          {values.sumKind === "fixed" && (
            <MoneyInput label="Sum assured for each member" {...form.getInputProps("sumCents")} />
          )}
          {values.sumKind === "salary" && (
            <NumberInput label="Multiple of salary" min={0.01} decimalScale={2} {...form.getInputProps("multiple")} />
          )}
          {values.sumKind === "tier" &&
            tiers.map(({ id, name }) => (
              <MoneyInput key={id} label={`Sum assured for ${name}`} {...form.getInputProps(`sums.${id}`)} />
            ))}
          {dated && (
            <DayInput
              label="Rates apply from"
              description="Default: the first of next month"
              earliest={policy.information.startOn ?? undefined}
              {...form.getInputProps("fromOn")}
            />
          )}
        </SimpleGrid>
        <FutureChangesChoice changes={later} {...form.getInputProps("laterChanges")} />
        <RatesPreview policy={policy} rates={read.success ? read.data : null} month={from} />
        {dated && (
          <EffectNote
            change={
              read.success
                ? {
                    ...{ act: "changeRates", policyId: policy.id, rates: read.data, from },
                    ...{ laterChanges: values.laterChanges },
                  }
                : null
            }
          />
        )}
      </Stack>
    </FormDialog>
  )
}

function RateRows({ form, tiers }: { form: UseFormReturnType<Fields>; tiers: Tiers }) {
  const { currency } = useDisplay()
  const { rows, sumKind } = form.values
  const label = (what: string, place: number) => `${what}, row ${place + 1}`
  return (
    <>
      <div className={classes.scroll}>
        <Table className={classes.rates} horizontalSpacing={4} verticalSpacing={4} captionSide="top">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Who</Table.Th>
              <Table.Th>Tier</Table.Th>
              <Table.Th w={84}>Age from</Table.Th>
              <Table.Th w={84}>Age to</Table.Th>
              <Table.Th>Amount</Table.Th>
              {sumKind !== "none" && <Table.Th>{capitalize(perThousand(currency))}</Table.Th>}
              <Table.Td w={36} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ key, person }, place) => (
              <Table.Tr key={key}>
                <Table.Td data-label="Who">
                  <Select
                    aria-label={label("Who", place)}
                    allowDeselect={false}
                    data={ratedPersons.map((value) => ({ value, label: capitalize(personNames[value].one) }))}
                    {...form.getInputProps(`rows.${place}.person`)}
                  />
                </Table.Td>
                <Table.Td data-label="Tier">
                  <Select
                    aria-label={label("Tier", place)}
                    clearable
                    placeholder="Every tier"
                    data={tiers.map(({ id, name }) => ({ value: id, label: name }))}
                    {...form.getInputProps(`rows.${place}.tierId`)}
                  />
                </Table.Td>
                {(["ageFrom", "ageUntil"] as const).map((field) => (
                  <Table.Td key={field} data-label={field === "ageFrom" ? "Age from" : "Age to"}>
                    <NumberInput
                      aria-label={label(field === "ageFrom" ? "Age from" : "Age to", place)}
                      min={0}
                      max={130}
                      allowDecimal={false}
                      hideControls
                      value={rows[place]![field] ?? ""}
                      onChange={(age) => form.setFieldValue(`rows.${place}.${field}`, age === "" ? null : Number(age))}
                    />
                  </Table.Td>
                ))}
                <Table.Td data-label="Amount">
                  <MoneyInput aria-label={label("Amount", place)} {...form.getInputProps(`rows.${place}.cents`)} />
                </Table.Td>
                {sumKind !== "none" && (
                  <Table.Td data-label={capitalize(perThousand(currency))}>
                    <NumberInput
                      aria-label={label(`Rate ${perThousand(currency)}`, place)}
                      disabled={person !== "member"}
                      min={0}
                      decimalScale={4}
                      hideControls
                      value={rows[place]!.perMille ?? ""}
                      onChange={(rate) =>
                        form.setFieldValue(`rows.${place}.perMille`, rate === "" ? null : Number(rate))
                      }
                    />
                  </Table.Td>
                )}
                <Table.Td className={classes.remove}>
                  <ActionIcon
                    aria-label={`Remove row ${place + 1}`}
                    title="Remove"
                    variant="subtle"
                    color="red"
                    disabled={rows.length === 1}
                    onClick={() => form.removeListItem("rows", place)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: "flex-start" }}
        leftSection={<IconPlus size={14} />}
        onClick={() => form.insertListItem("rows", createEmptyRow())}
      >
        Add a row
      </Button>
    </>
  )
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function CopyRates(props: {
  ownId: string
  onCopied: (table: RateTable) => void
  onProblem: (words?: string) => void
}) {
  const [policyId, setPolicyId] = useState<string | null>(null)
  const [percent, setPercent] = useState<number | string>(0)
  const [busy, setBusy] = useState(false)
  const copy = async () => {
    if (!policyId) return
    setBusy(true)
    try {
      const { tables } = await client.policies.rates({ policyId })
      const last = tables.at(-1)
      props.onProblem(last ? undefined : "That policy has one premium and no rates to copy")
      if (last) props.onCopied(raiseRates(last.table, Number(percent)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Group align="flex-end" gap="xs">
      <PolicySelect label="Copy from another policy" value={policyId} onChange={(id) => setPolicyId(id)} w={280} />
      <NumberInput
        label="Change by (%)"
        min={-99}
        max={1_000}
        decimalScale={2}
        w={130}
        value={percent}
        onChange={setPercent}
      />
      <Button variant="default" disabled={!policyId} loading={busy} onClick={() => void copy()}>
        Copy rates
      </Button>
    </Group>
  )
}

function RatesPreview({ policy, rates, month }: { policy: PolicyDetail; rates: RateTable | null; month: Day | null }) {
  const text = JSON.stringify(rates)
  const [asked] = useDebouncedValue(text, 400)
  const said = useQuery({
    ...api.premiums.month.queryOptions({
      input: { policyId: policy.id, ...(month && { month }), rates: JSON.parse(asked) ?? undefined },
    }),
    enabled: rates !== null && asked === text,
    placeholderData: keepPreviousData,
  })
  if (!rates || !said.data?.proposed) {
    return (
      <Text size="sm" c="dimmed">
        Complete each row to see the effect on the month.
      </Text>
    )
  }
  return <MonthNote said={said.data.proposed} before={said.data.stands} draft={policy.status === "Draft"} />
}

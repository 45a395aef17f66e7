import { NumberInput, Select } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { addMonths, type Day, firstOfMonth, formatMonth, maxDay } from "@milkwood/domain/kernel/calendar"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import { endRuleNames, endRules } from "@milkwood/domain/policies/end-rule"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import type { PolicyTerms } from "@milkwood/domain/policies/policy-shape"
import { EffectNote } from "../billing/effect-note.tsx"
import { client } from "../platform/api.ts"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { FutureChangesChoice } from "../ui/later-changes.tsx"
import { rethrowFieldErrors } from "../ui/refused-fields.ts"
import { SectionEditor } from "../ui/section-editor.tsx"
import { FutureValues } from "./dated-value.tsx"
import { usePolicyCommands } from "./policies.api.ts"
import { endRuleName } from "./policy-words.tsx"
import { useDatedTerms } from "./use-dated-terms.ts"

/** `dueDays` is empty while no number is typed. */
export type TermsFields = Omit<PolicyTerms, "dueDays"> & { dueDays: number | "" }

const staffListDays = Array.from({ length: 28 }, (_, index) => String(index + 1))

/** Months selectable as first billed month: from the policy's start to next month. */
function monthOptionsFrom(startOn: Day, today: Day, chosen: Day | null): Day[] {
  const last = maxDay(addMonths(firstOfMonth(today), 1), chosen ?? today)
  const months: Day[] = []
  for (let month = firstOfMonth(startOn); month <= last; month = addMonths(month, 1)) months.push(month)
  return months
}

/** The first billed month is asked only if the policy starts in the past. */
export function TermsInputs<Values extends TermsFields>({
  form,
  startOn,
}: {
  form: Pick<UseFormReturnType<Values>, "getInputProps" | "values">
  startOn: Day | null
}) {
  const { today } = useDisplay()
  const { billedFromOn } = form.values
  const asksMonth = startOn !== null && (billedFromOn !== null || startOn < firstOfMonth(today))
  return (
    <>
      {asksMonth && (
        <Select
          label="First month to bill in Milkwood"
          description="Earlier months were billed in your old system"
          placeholder="Start of the policy"
          clearable
          searchable
          data={monthOptionsFrom(startOn, today, billedFromOn).map((month) => ({
            value: month,
            label: formatMonth(month),
          }))}
          {...form.getInputProps("billedFromOn")}
        />
      )}
      <Select
        label="Leavers: premium for their last month"
        description="The premium owed for a member's last month"
        allowDeselect={false}
        data={endRules.map((value) => ({ value, label: endRuleNames[value] }))}
        {...form.getInputProps("endRule")}
      />
      <NumberInput
        label="Days to pay"
        description="From the date of an invoice"
        required
        min={0}
        max={120}
        allowDecimal={false}
        {...form.getInputProps("dueDays")}
      />
      <Select
        label="Staff list due by day of month"
        description="The employer sends its staff list by this day"
        placeholder="No list expected"
        clearable
        searchable
        data={staffListDays}
        {...form.getInputProps("staffListDay")}
        value={form.values.staffListDay?.toString() ?? null}
        onChange={(chosen) => form.getInputProps("staffListDay").onChange(chosen === null ? null : Number(chosen))}
      />
    </>
  )
}

export function PolicyTermsSection({ policy, canEdit }: { policy: PolicyDetail; canEdit: boolean }) {
  const { updateSection } = usePolicyCommands()
  const { id: policyId, information, terms, status } = policy
  const dated = status !== "Draft" && isOpen(status)
  const { later, future } = useDatedTerms(policy)
  return (
    <SectionEditor<TermsFields & { endRuleFromOn: string | null; laterChanges: LaterChanges }, PolicyDetail>
      name="terms"
      title="Billing terms"
      record={policy}
      reload={() => client.policies.detail({ policyId })}
      canEdit={canEdit}
      values={(record) => ({ ...record.terms, endRuleFromOn: null, laterChanges: "keep" })}
      fields={{
        billedFromOn: {
          label: "First month to bill in Milkwood",
          show: (month) => (month ? formatMonth(month) : "Start of the policy"),
        },
        endRule: { label: "Leavers: premium for their last month", show: endRuleName },
        endRuleFromOn: {
          label: "Future rule",
          show: () => <FutureValues changes={future("endRules")} />,
        },
        dueDays: { label: "Days to pay", show: (days) => `${days} ${days === 1 ? "day" : "days"}` },
        staffListDay: {
          label: "Staff list",
          show: (on) => (on ? `Due by day ${on} of each month` : "No list expected"),
        },
      }}
      validate={{ dueDays: (days) => (Number.isInteger(days) ? null : "Enter a number of days") }}
      save={({ endRuleFromOn, dueDays, laterChanges, ...values }, version) =>
        updateSection
          .mutateAsync({
            policyId,
            version,
            change: {
              section: "terms",
              values: {
                ...values,
                dueDays: Number(dueDays),
                ...(endRuleFromOn ? { endRuleFromOn } : {}),
                ...(later("endRules", endRuleFromOn).length > 0 ? { laterChanges } : {}),
              },
            },
          })
          .catch(rethrowFieldErrors("change.values"))
      }
    >
      {(form) => {
        const { billedFromOn, endRule, endRuleFromOn, laterChanges } = form.values
        const changesRule = endRule !== terms.endRule || endRuleFromOn !== null
        return (
          <>
            <TermsInputs form={form} startOn={information.startOn} />
            {dated && (
              <>
                <DayInput
                  label="New rule applies from"
                  description="Default: the first of next month"
                  earliest={information.startOn ?? undefined}
                  {...form.getInputProps("endRuleFromOn")}
                />
                {changesRule && (
                  <FutureChangesChoice
                    changes={later("endRules", endRuleFromOn)}
                    {...form.getInputProps("laterChanges")}
                  />
                )}
                <EffectNote
                  change={
                    billedFromOn !== terms.billedFromOn
                      ? { act: "setBilledFrom", policyId, month: billedFromOn }
                      : changesRule
                        ? { act: "setEndRule", policyId, rule: endRule, from: endRuleFromOn, laterChanges }
                        : null
                  }
                />
              </>
            )}
          </>
        )
      }}
    </SectionEditor>
  )
}

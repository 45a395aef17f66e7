import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { policyFields } from "@milkwood/domain/policies/policy-fields"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { EffectNote } from "../billing/effect-note.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { fieldRowsOf } from "../ui/declared-fields.tsx"
import { requireText } from "../ui/form.ts"
import { FutureChangesChoice } from "../ui/later-changes.tsx"
import { MoneyText } from "../ui/money.tsx"
import { SectionEditor } from "../ui/section-editor.tsx"
import { DatedValue, FutureValues } from "./dated-value.tsx"
import { MonthlyPremium } from "./monthly-premium.tsx"
import { type CoverageFields, CoverageInputs } from "./policy-fields.tsx"
import { monthCountText } from "./policy-words.tsx"
import { useDatedTerms } from "./use-dated-terms.ts"
import { useSection } from "./use-section.ts"

type DatedCoverageFields = CoverageFields & {
  premiumFromOn: string | null
  sumAssuredFromOn: string | null
  waitingPeriodFromOn: string | null
  laterChanges: LaterChanges
}

export function CoverageSection({ policy }: { policy: PolicyDetail }) {
  const { read, save } = useSection(policy)
  const { all, later, future } = useDatedTerms(policy)
  const { coverage, status } = policy
  const isDated = status !== "Draft" && isOpen(status)
  const changed = (values: DatedCoverageFields) => ({
    premium: values.premiumCents !== coverage.premiumCents || values.premiumFromOn !== null,
    sum: values.sumAssuredCents !== coverage.sumAssuredCents || values.sumAssuredFromOn !== null,
    waiting: values.waitingPeriodMonths !== coverage.waitingPeriodMonths || values.waitingPeriodFromOn !== null,
  })
  const laterThan = (values: DatedCoverageFields) => {
    const { premium, sum, waiting } = changed(values)
    return [
      ...(premium ? later("premiums", values.premiumFromOn) : []),
      ...(sum ? later("sumsAssured", values.sumAssuredFromOn) : []),
      ...(waiting ? later("waitingPeriods", values.waitingPeriodFromOn) : []),
    ]
  }
  const dayInput = {
    description: "Default: the first of next month",
    earliest: policy.information.startOn ?? undefined,
  }
  return (
    <SectionEditor<DatedCoverageFields, PolicyDetail>
      name="coverage"
      title="Coverage Details"
      {...read}
      canEdit={policy.allowedActions.includes("edit")}
      values={(record) => ({
        ...record.coverage,
        ...{ premiumFromOn: null, sumAssuredFromOn: null, waitingPeriodFromOn: null, laterChanges: "keep" },
      })}
      fields={{
        ...fieldRowsOf(policyFields, "coverage"),
        premiumCents: {
          label: "Premium",
          show: (cents, { rated }) =>
            rated ? <MonthlyPremium policy={policy} withUnit /> : <MoneyText cents={cents} />,
        },
        premiumFromOn: {
          label: "Future premium",
          show: () => <FutureValues changes={future("premiums")} />,
        },
        sumAssuredCents: {
          label: "Sum assured",
          show: (cents) => (
            <DatedValue changes={all("sumsAssured")}>
              <MoneyText cents={cents} />
            </DatedValue>
          ),
        },
        sumAssuredFromOn: { label: "New sum assured applies from", onlyEdited: true },
        waitingPeriodMonths: {
          label: "Waiting period",
          show: (count) => <DatedValue changes={all("waitingPeriods")}>{monthCountText(Number(count))}</DatedValue>,
        },
        waitingPeriodFromOn: { label: "New waiting period applies from", onlyEdited: true },
      }}
      validate={{
        premiumCents: requireText("Enter the premium"),
        waitingPeriodMonths: (count) => (Number.isInteger(count) ? null : "Enter a number of months"),
      }}
      save={(fields, version) => {
        const { premiumFromOn, sumAssuredFromOn, waitingPeriodFromOn, laterChanges, ...values } = fields
        return save(
          {
            section: "coverage",
            values: {
              ...values,
              premiumCents: values.premiumCents ?? 0,
              waitingPeriodMonths: Number(values.waitingPeriodMonths),
              ...(premiumFromOn ? { premiumFromOn } : {}),
              ...(sumAssuredFromOn ? { sumAssuredFromOn } : {}),
              ...(waitingPeriodFromOn ? { waitingPeriodFromOn } : {}),
              ...(laterThan(fields).length > 0 ? { laterChanges } : {}),
            },
          },
          version,
        )
      }}
    >
      {(form) => {
        const { premium, sum, waiting } = changed(form.values)
        const { premiumCents, premiumFromOn, laterChanges } = form.values
        return (
          <>
            <CoverageInputs form={form} rated={policy.rated} />
            {isDated && (
              <>
                <DayInput label="New premium applies from" {...dayInput} {...form.getInputProps("premiumFromOn")} />
                {(sum || policy.upcomingSumAssured !== null) && (
                  <DayInput
                    label="New sum assured applies from"
                    {...dayInput}
                    {...form.getInputProps("sumAssuredFromOn")}
                  />
                )}
                {(waiting || policy.upcomingWaitingPeriod !== null) && (
                  <DayInput
                    label="New waiting period applies from"
                    {...dayInput}
                    description="Default: the first of next month. Earlier incidents keep the previous period."
                    {...form.getInputProps("waitingPeriodFromOn")}
                  />
                )}
                {(premium || sum || waiting) && (
                  <FutureChangesChoice changes={laterThan(form.values)} {...form.getInputProps("laterChanges")} />
                )}
                <EffectNote
                  change={
                    premiumCents
                      ? {
                          ...{ act: "changePremium", policyId: policy.id, premiumCents },
                          ...{ from: premiumFromOn, laterChanges },
                        }
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

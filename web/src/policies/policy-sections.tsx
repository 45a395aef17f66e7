import { TextInput } from "@mantine/core"
import { isEmail } from "@milkwood/domain/kernel/email"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { EffectNote } from "../billing/effect-note.tsx"
import { client } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { required } from "../ui/form.ts"
import { LaterChangesChoice } from "../ui/later-changes.tsx"
import { MoneyText } from "../ui/money.tsx"
import { SectionEditor } from "../ui/section-editor.tsx"
import { usePolicyCommands } from "./policies.api.ts"
import { ContactInputs, type CoverageFields, CoverageInputs, InformationInputs } from "./policy-fields.tsx"
import { PolicyRates } from "./policy-rates.tsx"
import { PolicyTermsSection } from "./policy-terms.tsx"
import { coverageWord, months } from "./policy-words.tsx"
import { refusedIn } from "./refused-fields.ts"
import { useDatedTerms } from "./use-dated-terms.ts"

const emailOrNothing = (text: string) =>
  text.trim() === "" || isEmail(text.trim()) ? null : "This is not an e-mail address"

/** The four sections of the tab Policy Details, edited one at a time; `begun`: the first is open. */
export function PolicySections({ policy, begun = false }: { policy: PolicyDetail; begun?: boolean }) {
  return (
    <>
      <InformationSection policy={policy} begun={begun} />
      <CoverageSection policy={policy} />
      <PolicyRates policy={policy} />
      <PolicyTermsSection policy={policy} canEdit={policy.allowedActions.includes("edit")} />
      <ContactSection policy={policy} />
    </>
  )
}

/** What each of them reads and saves. */
function useSection(policy: PolicyDetail) {
  const { updateSection } = usePolicyCommands()
  type Change = Parameters<typeof updateSection.mutateAsync>[0]["change"]
  return {
    read: { record: policy, reload: () => client.policies.detail({ policyId: policy.id }) },
    save: (change: Change, version: number) =>
      updateSection.mutateAsync({ policyId: policy.id, version, change }).catch(refusedIn("change.values")),
  }
}

function InformationSection({ policy, begun }: { policy: PolicyDetail; begun: boolean }) {
  const { read, save } = useSection(policy)
  return (
    <SectionEditor
      name="information"
      title="Policy Information"
      {...read}
      canEdit={policy.allowedActions.includes("edit")}
      begun={begun}
      values={(record) => record.information}
      fields={{
        groupName: { label: "Group name" },
        productTypeId: { label: "Product type", show: (_, record) => record.productTypeName },
        startOn: { label: "Start date", show: (day) => <DayText day={day} /> },
        endOn: { label: "End date", show: (day) => <DayText day={day} fallback="None" /> },
        description: { label: "Description", wide: true },
      }}
      validate={{ groupName: required("Give the group a name") }}
      save={(values, version) => save({ section: "information", values }, version)}
    >
      {(form) => (
        <>
          <TextInput
            label="Group name"
            required
            description="The group is renamed on all its policies"
            {...form.getInputProps("groupName")}
          />
          <InformationInputs form={form} startFixed={policy.status !== "Draft"} />
        </>
      )}
    </SectionEditor>
  )
}

function CoverageSection({ policy }: { policy: PolicyDetail }) {
  const { read, save } = useSection(policy)
  const draft = policy.status === "Draft"
  const { later } = useDatedTerms(policy)
  return (
    <SectionEditor<CoverageFields & { premiumFromOn: string | null; laterChanges: LaterChanges }, PolicyDetail>
      name="coverage"
      title="Coverage Details"
      {...read}
      canEdit={policy.allowedActions.includes("edit")}
      values={(record) => ({ ...record.coverage, premiumFromOn: null, laterChanges: "keep" })}
      fields={{
        coverageType: { label: "Coverage type", show: coverageWord },
        premiumCents: {
          label: "Premium",
          show: (cents, { rated }) => (rated ? "By rates" : <MoneyText cents={cents} />),
        },
        premiumFromOn: {
          label: "Coming premium",
          show: (_, { upcomingPremium: coming }) =>
            coming ? (
              <>
                {coming.premiumCents === null ? "Rates" : <MoneyText cents={coming.premiumCents} />} from{" "}
                <DayText day={coming.fromOn} />
              </>
            ) : (
              "None"
            ),
        },
        sumAssuredCents: { label: "Sum assured", show: (cents) => <MoneyText cents={cents} /> },
        waitingPeriodMonths: { label: "Waiting period", show: (count) => months(Number(count)) },
      }}
      validate={{
        premiumCents: required("Give the premium"),
        waitingPeriodMonths: (count) => (Number.isInteger(count) ? null : "Give a number of months"),
      }}
      save={({ premiumFromOn, premiumCents, waitingPeriodMonths, laterChanges, ...values }, version) =>
        save(
          {
            section: "coverage",
            values: {
              ...values,
              premiumCents: premiumCents ?? 0,
              waitingPeriodMonths: Number(waitingPeriodMonths),
              ...(premiumFromOn ? { premiumFromOn } : {}),
              ...(later("premiums", premiumFromOn).length > 0 ? { laterChanges } : {}),
            },
          },
          version,
        )
      }
    >
      {(form) => (
        <>
          <CoverageInputs form={form} rated={policy.rated} />
          {!draft && isOpen(policy.status) && (
            <DayInput
              label="New premium applies from"
              description="If left empty, a changed premium applies from the first of next month"
              earliest={policy.information.startOn ?? undefined}
              w={240}
              {...form.getInputProps("premiumFromOn")}
            />
          )}
          {!draft &&
            (form.values.premiumCents !== policy.coverage.premiumCents || form.values.premiumFromOn !== null) && (
              <LaterChangesChoice
                changes={later("premiums", form.values.premiumFromOn)}
                {...form.getInputProps("laterChanges")}
              />
            )}
          {!draft && (
            <EffectNote
              change={
                form.values.premiumCents
                  ? {
                      act: "changePremium",
                      policyId: policy.id,
                      premiumCents: form.values.premiumCents,
                      from: form.values.premiumFromOn,
                      laterChanges: form.values.laterChanges,
                    }
                  : null
              }
            />
          )}
        </>
      )}
    </SectionEditor>
  )
}

function ContactSection({ policy }: { policy: PolicyDetail }) {
  const { read, save } = useSection(policy)
  return (
    <SectionEditor
      name="contact"
      title="Main Contact"
      {...read}
      canEdit={policy.allowedActions.includes("editContact")}
      values={(record) => record.contact}
      fields={{
        contactName: { label: "Full name" },
        contactEmail: { label: "Email" },
        contactPhone: { label: "Telephone" },
        contactCell: { label: "Cell phone" },
        contactPosition: { label: "Position" },
        companyVatNumber: { label: "Company VAT number" },
        companyAddress: { label: "Company address", wide: true },
        contactNotes: { label: "Notes", wide: true },
      }}
      validate={{ contactEmail: emailOrNothing }}
      save={(values, version) => save({ section: "contact", values }, version)}
    >
      {(form) => <ContactInputs form={form} />}
    </SectionEditor>
  )
}

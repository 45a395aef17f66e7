import { TextInput } from "@mantine/core"
import { isEmail } from "@milkwood/domain/kernel/email"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { policyFields } from "@milkwood/domain/policies/policy-fields"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { fieldRowsOf } from "../ui/declared-fields.tsx"
import { requireText } from "../ui/form.ts"
import { FutureChangesChoice } from "../ui/later-changes.tsx"
import { SectionEditor } from "../ui/section-editor.tsx"
import { CoverageSection } from "./coverage-section.tsx"
import { DatedValue } from "./dated-value.tsx"
import { ContactInputs, InformationInputs } from "./policy-fields.tsx"
import { PolicyRates } from "./policy-rates.tsx"
import { PolicyTermsSection } from "./policy-terms.tsx"
import { useDatedTerms } from "./use-dated-terms.ts"
import { useSection } from "./use-section.ts"

const findEmailProblem = (text: string) =>
  text.trim() === "" || isEmail(text.trim()) ? null : "This is not an e-mail address"

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

type DatedInformation = PolicyDetail["information"] & {
  productTypeFromOn: string | null
  owningFundFromOn: string | null
  laterChanges: LaterChanges
}

function InformationSection({ policy, begun }: { policy: PolicyDetail; begun: boolean }) {
  const { read, save } = useSection(policy)
  const { all, later } = useDatedTerms(policy)
  const isDated = policy.status !== "Draft" && isOpen(policy.status)
  const { information } = policy
  const changed = ({ productTypeId, productTypeFromOn, owningFund, owningFundFromOn }: DatedInformation) => ({
    type: productTypeId !== information.productTypeId || productTypeFromOn !== null,
    fund: owningFund.trim() !== information.owningFund || owningFundFromOn !== null,
  })
  const laterThan = (fields: DatedInformation) => [
    ...(changed(fields).type ? later("productTypes", fields.productTypeFromOn) : []),
    ...(changed(fields).fund ? later("owningFunds", fields.owningFundFromOn) : []),
  ]
  return (
    <SectionEditor<DatedInformation, PolicyDetail>
      name="information"
      title="Policy Information"
      {...read}
      canEdit={policy.allowedActions.includes("edit")}
      begun={begun}
      values={(record) => ({
        ...record.information,
        productTypeFromOn: null,
        owningFundFromOn: null,
        laterChanges: "keep",
      })}
      fields={{
        groupName: { label: "Group name" },
        productTypeId: {
          label: "Product type",
          show: (_, record) => <DatedValue changes={all("productTypes")}>{record.productTypeName}</DatedValue>,
        },
        productTypeFromOn: { label: "New product type applies from", onlyEdited: true },
        startOn: { label: "Start date", show: (day) => <DayText day={day} /> },
        endOn: { label: "End date", show: (day) => <DayText day={day} fallback="None" /> },
        ...fieldRowsOf(policyFields, "information"),
        owningFund: {
          label: policyFields.owningFund.label,
          show: (fund) => <DatedValue changes={all("owningFunds")}>{fund}</DatedValue>,
        },
        owningFundFromOn: { label: "New owner applies from", onlyEdited: true },
      }}
      validate={{ groupName: requireText("Enter the group name") }}
      save={(fields, version) => {
        const { productTypeFromOn, owningFundFromOn, laterChanges, ...values } = fields
        return save(
          {
            section: "information",
            values: {
              ...values,
              ...(productTypeFromOn ? { productTypeFromOn } : {}),
              ...(owningFundFromOn ? { owningFundFromOn } : {}),
              ...(laterThan(fields).length > 0 ? { laterChanges } : {}),
            },
          },
          version,
        )
      }}
    >
      {(form) => {
        const { type: changesType, fund: changesFund } = changed(form.values)
        return (
          <>
            <TextInput
              label="Group name"
              required
              description="Renames the group on all its policies"
              {...form.getInputProps("groupName")}
            />
            <InformationInputs form={form} startFixed={policy.status !== "Draft"} />
            {isDated && (changesType || policy.upcomingProductType !== null) && (
              <DayInput
                label="New product type applies from"
                description="Default: the first of next month. Earlier incidents keep the previous type."
                earliest={information.startOn ?? undefined}
                {...form.getInputProps("productTypeFromOn")}
              />
            )}
            {isDated && (changesFund || policy.upcomingOwningFund !== null) && (
              <DayInput
                label="New owner applies from"
                description="Default: the first of next month. The owner on the day of death is paid."
                earliest={information.startOn ?? undefined}
                {...form.getInputProps("owningFundFromOn")}
              />
            )}
            {isDated && (changesType || changesFund) && (
              <FutureChangesChoice changes={laterThan(form.values)} {...form.getInputProps("laterChanges")} />
            )}
          </>
        )
      }}
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
      fields={fieldRowsOf(policyFields, "contact")}
      validate={{ contactEmail: findEmailProblem }}
      save={(values, version) => save({ section: "contact", values }, version)}
    >
      {(form) => <ContactInputs form={form} />}
    </SectionEditor>
  )
}

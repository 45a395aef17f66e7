import { Button, Fieldset, List, SimpleGrid, Stack, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { GroupChoice } from "../employers/group-choice.tsx"
import { DayText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { FactList, SidePanel } from "../ui/record-page.tsx"
import { EarlierMonths } from "./earlier-months.tsx"
import { MissingDocuments } from "./missing-documents.tsx"
import { MonthlyPremium } from "./monthly-premium.tsx"
import type { DraftValues } from "./policy-draft.ts"
import { ContactInputs, CoverageInputs, InformationInputs } from "./policy-fields.tsx"
import { PolicyRates } from "./policy-rates.tsx"
import { TermsInputs } from "./policy-terms.tsx"
import { endRuleName } from "./policy-words.tsx"

export function DetailsStep({
  form,
  made,
  draft,
  onRates,
}: {
  form: UseFormReturnType<DraftValues>
  made: boolean
  draft: PolicyDetail | undefined
  onRates: (draft: PolicyDetail) => void
}) {
  return (
    <>
      <Fieldset legend="Policy Information">
        <Stack gap="sm">
          <GroupChoice
            values={form.values}
            inputProps={form.getInputProps}
            onChoose={(groupId, groupName) => form.setValues({ groupId, groupName })}
            canCreate={!made}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <InformationInputs form={form} />
          </SimpleGrid>
        </Stack>
      </Fieldset>
      <Fieldset legend="Coverage Details">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <CoverageInputs form={form} rated={draft?.rated ?? false} />
        </SimpleGrid>
      </Fieldset>
      {draft && <PolicyRates policy={draft} onSaved={onRates} />}
      <Fieldset legend="Billing terms">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TermsInputs form={form} startOn={form.values.startOn} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend="Main Contact">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <ContactInputs form={form} />
        </SimpleGrid>
      </Fieldset>
    </>
  )
}

export function StaleNotice({ takeTheirs, keepMine }: { takeTheirs: () => void; keepMine: () => void }) {
  return (
    <InlineError
      action={
        <Button.Group>
          <Button size="compact-sm" variant="default" onClick={takeTheirs}>
            Use theirs
          </Button>
          <Button size="compact-sm" variant="default" onClick={keepMine}>
            Keep mine
          </Button>
        </Button.Group>
      }
    >
      Another user saved this draft in the meantime. Your changes are still here.
    </InlineError>
  )
}

export function QuickStats({ draft, values }: { draft: PolicyDetail | undefined; values: DraftValues }) {
  const members = draft?.members.total ?? 0
  return (
    <SidePanel title="Quick stats">
      <FactList
        rows={[
          [
            "Number",
            draft ? <DocumentNumber key="number">{draft.number}</DocumentNumber> : "Assigned when first saved",
          ],
          ["Group", values.groupName || "–"],
          ["Members", members],
          ["Documents", draft?.documents ?? 0],
          [
            "Per member",
            draft?.rated ? (
              "By rates"
            ) : values.premiumCents === null ? (
              "Default from settings"
            ) : (
              <MoneyText key="premium" cents={values.premiumCents} />
            ),
          ],
          [
            "Monthly",
            draft?.rated ? (
              <MonthlyPremium key="monthly" policy={draft} />
            ) : (
              <MoneyText key="monthly" cents={(values.premiumCents ?? 0) * members} />
            ),
          ],
        ]}
      />
    </SidePanel>
  )
}

export function ReviewStep({ draft, missing }: { draft: PolicyDetail; missing: string[] }) {
  const { information, coverage, terms, contact, members } = draft
  return (
    <Stack gap="md">
      {missing.length > 0 ? (
        <InlineError tone="warning">
          Not ready to activate. Still needed:
          <List size="sm">
            {missing.map((label) => (
              <List.Item key={label}>{label}</List.Item>
            ))}
          </List>
        </InlineError>
      ) : (
        <Text>
          {draft.missingDocuments.length > 0 ? "All required details are filled in." : "Everything is complete."} Once
          activated, the policy{" "}
          {draft.rated ? (
            "bills each member by its rates"
          ) : (
            <>
              has a premium of <MoneyText cents={coverage.premiumCents} /> per member
            </>
          )}
          , and its {members.total} {members.total === 1 ? "member is" : "members are"} covered from{" "}
          <DayText day={information.startOn} /> at the earliest.
        </Text>
      )}
      <MissingDocuments names={draft.missingDocuments} />
      <EarlierMonths draft={draft} />
      <FactList
        rows={[
          ["Group name", information.groupName],
          ["Product type", draft.productTypeName ?? "–"],
          ["Start date", <DayText key="start" day={information.startOn} />],
          ["End date", <DayText key="end" day={information.endOn} fallback="None" />],
          ["Premium per member", draft.rated ? "By rates" : <MoneyText key="premium" cents={coverage.premiumCents} />],
          ["Members", members.total],
          ["Documents", draft.documents],
          ["Monthly premium", <MonthlyPremium key="monthly" policy={draft} />],
          [
            "First month to bill in Milkwood",
            terms.billedFromOn ? formatMonth(terms.billedFromOn) : "Start of the policy",
          ],
          ["Leavers: premium for their last month", endRuleName(terms.endRule)],
          ["Days to pay", terms.dueDays],
          ["Staff list due by day of month", terms.staffListDay ?? "No list expected"],
          ["Main contact", contact.contactName || "–"],
          ["Email", contact.contactEmail || "–"],
        ]}
      />
    </Stack>
  )
}

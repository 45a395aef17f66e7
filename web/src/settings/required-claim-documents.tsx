import { Button } from "@mantine/core"
import { claimTypeNames, claimTypes } from "@milkwood/domain/claims/claim"
import { type DocumentRule, documentsText } from "@milkwood/domain/claims/required-documents"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { benefitChoicesQuery } from "../benefits/benefits.api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { RowMenu } from "../ui/data-table/row-menu.tsx"
import { useDisplay } from "../ui/display.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { settingsQuery, useSettingsCommands } from "./settings.api.ts"

const RequiredDocumentDialog = lazy(() => import("./required-document-dialog.tsx"))

/** The requirements are one setting; each change saves the whole list. */
export function RequiredClaimDocuments() {
  const detail = useQuery(settingsQuery())
  const benefits = useQuery(benefitChoicesQuery()).data?.benefits ?? []
  const { currency } = useDisplay()
  const [edited, setEdited] = useState<number | "new">()
  const { save } = useSettingsCommands()
  const confirm = useConfirm()
  const rules = detail.data?.settings.requiredDocuments ?? []
  const saveRules = async (next: DocumentRule[]) => {
    if (!detail.data) throw new Error("the settings are still loading")
    const { version, settings } = detail.data
    const ordered = next.toSorted((a, b) => claimTypes.indexOf(a.claimType) - claimTypes.indexOf(b.claimType))
    return save.mutateAsync({ version, settings: { ...settings, requiredDocuments: ordered } })
  }
  const askToDelete = (at: number) =>
    confirm({
      title: `Stop requiring ${documentsText(rules[at]!.anyOf)}?`,
      body: `${claimTypeNames[rules[at]!.claimType]} claims can then be routed without it.`,
      confirm: "Delete requirement",
      danger: true,
      action: () => saveRules(rules.filter((_, other) => other !== at)),
    })
  const conditionsOf = ({ claimType, benefitId, dependentsOnly, aboveCents }: DocumentRule) => {
    const benefit = benefits.find(({ id }) => id === benefitId)?.name ?? (benefitId ? "a deleted benefit" : null)
    return [
      `${claimTypeNames[claimType]} claims`,
      benefit && `of ${benefit}`,
      dependentsOnly && "for a dependent",
      aboveCents !== null && `above ${formatMoney(aboveCents, currency)}`,
    ]
      .filter(Boolean)
      .join(" ")
  }
  return (
    <SettingsSection
      title="Required documents of claims"
      words="A claim can be submitted without them. Routing it for approval needs each one, or a waiver with a reason."
      query={detail}
      failed="Failed to load required documents"
    >
      <SettingsList label="Required documents of claims">
        {rules.map((rule, at) => {
          const name = documentsText(rule.anyOf)
          const conditions = conditionsOf(rule)
          return (
            <SettingsLine key={`${conditions} ${name}`} what={name} words={conditions}>
              <RowMenu
                label={`Actions for ${name}, ${conditions}`}
                actions={() => [
                  { label: "Edit requirement", onClick: () => setEdited(at) },
                  { label: "Delete requirement", danger: true, onClick: () => void askToDelete(at) },
                ]}
              />
            </SettingsLine>
          )
        })}
      </SettingsList>
      <Button variant="default" mt="sm" disabled={!detail.data} onClick={() => setEdited("new")}>
        Add required document
      </Button>
      {edited !== undefined && (
        <Suspense>
          <RequiredDocumentDialog
            benefits={benefits}
            {...(edited !== "new" && { rule: rules[edited]! })}
            onSave={(rule) =>
              saveRules(edited === "new" ? [...rules, rule] : rules.map((old, at) => (at === edited ? rule : old)))
            }
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </SettingsSection>
  )
}

import { claimTypeNames, claimTypes } from "@milkwood/domain/claims/claim"
import { type DocumentRule, documentsText } from "@milkwood/domain/claims/required-documents"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useQuery } from "@tanstack/react-query"
import { lazy } from "react"
import { benefitChoicesQuery } from "../benefits/benefits.api.ts"
import { useDisplay } from "../ui/display.tsx"
import { SettingList } from "./setting-list.tsx"

const RequiredDocumentDialog = lazy(() => import("./required-document-dialog.tsx"))

export function RequiredClaimDocuments() {
  const benefits = useQuery(benefitChoicesQuery()).data?.benefits ?? []
  const { currency } = useDisplay()
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
    <SettingList
      setting="requiredDocuments"
      title="Required documents of claims"
      words="A claim can be submitted without them. Routing it for approval needs each one, or a waiver with a reason."
      failed="Failed to load required documents"
      noun="requirement"
      add="Add required document"
      sort={(rules) => rules.toSorted((a, b) => claimTypes.indexOf(a.claimType) - claimTypes.indexOf(b.claimType))}
      describe={(rule) => ({ name: documentsText(rule.anyOf), words: conditionsOf(rule) })}
      askToDelete={({ anyOf, claimType }) => ({
        title: `Stop requiring ${documentsText(anyOf)}?`,
        body: `${claimTypeNames[claimType]} claims can then be routed without it.`,
      })}
      dialog={({ item, others: _, ...props }) => (
        <RequiredDocumentDialog benefits={benefits} {...(item && { rule: item })} {...props} />
      )}
    />
  )
}

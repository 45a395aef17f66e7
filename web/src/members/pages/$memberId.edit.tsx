import { memberSteps } from "@milkwood/domain/members/member-form"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions, Navigate } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MemberWizard } from "../member-wizard.tsx"
import { memberQuery } from "../members.api.ts"

export const Route = createFileRoute("/_app/members/$memberId/edit")({
  ...addressChoice(
    "step",
    memberSteps.map(({ id }) => id),
  ),
  staticData: { permission: "members.write" },
  component: EditMemberPage,
})

function EditMemberPage() {
  const { memberId } = Route.useParams()
  const { step } = Route.useSearch()
  return (
    <LoadedRecord
      record={useQuery(memberQuery(memberId))}
      title="Edit member"
      back={{ ...linkOptions({ to: "/members" }), label: "Back to Members" }}
      loading="Loading member..."
      failed="Failed to load member data"
      notFound="Member not found"
    >
      {(member) =>
        member.allowedActions.includes("edit") ? (
          <MemberWizard key={memberId} member={member} step={step} />
        ) : (
          <Navigate to="/members/$memberId" params={{ memberId }} replace />
        )
      }
    </LoadedRecord>
  )
}

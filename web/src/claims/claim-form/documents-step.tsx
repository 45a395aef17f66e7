import { Stack } from "@mantine/core"
import { ClaimDocuments } from "../claim-documents.tsx"
import { useCurrentClaim } from "../claims.api.ts"
import classes from "../claims.module.css"
import { DocumentChecklist } from "../required-documents.tsx"
import type { StepProps } from "./fields.tsx"

/** Documents upload at once, so the draft must exist first; it saves itself within a second. */
export function DocumentsStep({ claim, uploads }: StepProps) {
  const current = useCurrentClaim(claim)
  if (!current) return <p className={classes.quiet}>Save the draft before you add documents.</p>
  return (
    <Stack gap="md">
      {current.requiredDocuments.length > 0 && <DocumentChecklist claim={current} />}
      <ClaimDocuments claim={current} uploads={uploads} />
    </Stack>
  )
}

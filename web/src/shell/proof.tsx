import type { ProofWay } from "@milkwood/domain/platform/proof"
import { lazy, Suspense, useEffect, useState } from "react"
import { registerProofPrompt } from "../platform/proof.ts"

const ProofDialog = lazy(() => import("../users/proof-dialog.tsx"))

/** Asks for password or code when the server requires a new proof of identity; a separate chunk. */
export function ProofPrompt() {
  const [asked, setAsked] = useState<{ by: ProofWay; answer: (yes: boolean) => void }>()
  useEffect(
    () =>
      registerProofPrompt(
        (by) =>
          new Promise((resolve) => {
            const answer = (yes: boolean) => {
              setAsked(undefined)
              resolve(yes)
            }
            setAsked({ by, answer })
          }),
      ),
    [],
  )
  return (
    asked && (
      <Suspense>
        <ProofDialog by={asked.by} onAnswer={asked.answer} />
      </Suspense>
    )
  )
}

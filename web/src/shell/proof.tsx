import type { ProofWay } from "@milkwood/domain/platform/proof"
import { lazy, Suspense, useEffect, useState } from "react"
import { askedBy } from "../platform/proof.ts"

const ProofDialog = lazy(() => import("../users/proof-dialog.tsx"))

/** Asks for password or code where the server wants to know once more who it is; a chunk of its own. */
export function Proof() {
  const [asked, setAsked] = useState<{ by: ProofWay; answer: (yes: boolean) => void }>()
  useEffect(
    () =>
      askedBy(
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

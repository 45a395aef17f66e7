import type { ProofWay } from "@milkwood/domain/platform/proof"

type ProofPrompt = (by: ProofWay) => Promise<boolean>

let proofPrompt: ProofPrompt | undefined
let pendingProof: Promise<boolean> | undefined

export function registerProofPrompt(next: ProofPrompt): () => void {
  proofPrompt = next
  return () => {
    if (proofPrompt !== next) return
    proofPrompt = undefined
    // The prompt is gone with its screen and would never be answered.
    pendingProof = undefined
  }
}

/** Asks the user for a proof; concurrent calls share one prompt. True if the call may be repeated. */
export function requestProof(by: ProofWay): Promise<boolean> {
  pendingProof ??= (proofPrompt?.(by) ?? Promise.resolve(false)).finally(() => {
    pendingProof = undefined
  })
  return pendingProof
}

import type { ProofWay } from "@milkwood/domain/platform/proof"

type Ask = (by: ProofWay) => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

export function registerProofPrompt(next: Ask): () => void {
  ask = next
  return () => {
    if (ask !== next) return
    ask = undefined
    // The prompt is gone with its screen and would never be answered.
    asking = undefined
  }
}

/** Asks the user for a proof; concurrent calls share one prompt. True if the call may be repeated. */
export function requestProof(by: ProofWay): Promise<boolean> {
  asking ??= (ask?.(by) ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

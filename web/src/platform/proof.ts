import type { ProofWay } from "@milkwood/domain/platform/proof"

type Ask = (by: ProofWay) => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Says who asks for a proof: the dialog of the shell. Answers how to take it back. */
export function askedBy(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}

/** Whether the person has proved who they are, and what was refused goes on. Many calls at once are one question. */
export function proved(by: ProofWay): Promise<boolean> {
  asking ??= (ask?.(by) ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

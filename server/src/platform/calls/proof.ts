import { isProven } from "@milkwood/domain/platform/proof"
import { type Cx, personOnlyMessage, refused } from "./commands.ts"

/**
 * Refuses with PROOF_REQUIRED unless the user proved their identity in the last ten minutes. For actions that move
 * money or change rights. Service keys are always refused; the system is exempt. Declare it in the contract
 * (`proofRequired`).
 */
export function expectProof({ actor, now }: Pick<Cx, "actor" | "now">): void {
  if (actor.kind === "system" || actor.session === "played") return
  const { session } = actor
  if (session && isProven(session.provenAt, now)) return
  throw refused("PROOF_REQUIRED", actor.program ? personOnlyMessage : undefined, { by: session?.proofBy ?? "password" })
}

/**
 * Refuses accounts without a second factor (SECOND_FACTOR_REQUIRED), and requires a fresh proof. Declare it in the
 * contract (`proofRequired`, `secondFactorRequired`).
 */
export function expectSecondFactor(cx: Pick<Cx, "actor" | "now">): void {
  expectProof(cx)
  const { actor } = cx
  if (actor.kind === "user" && typeof actor.session === "object" && actor.session.proofBy === "password")
    throw refused("SECOND_FACTOR_REQUIRED")
}

/** Refuses service keys with FORBIDDEN where a second person must approve. */
export function expectPerson({ actor }: Pick<Cx, "actor">): void {
  if (actor.kind === "user" && actor.program) throw refused("FORBIDDEN", personOnlyMessage)
}

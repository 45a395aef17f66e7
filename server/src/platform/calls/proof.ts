import { isProven } from "@milkwood/domain/platform/proof"
import { type Cx, forPeople, refused } from "./commands.ts"

/**
 * Refuses with PROOF_REQUIRED whoever has not proved for ten minutes who they are; for what moves money or rights. A
 * program cannot. Our own work asks nobody. To be declared in the contract (`proofRequired`).
 */
export function expectProof({ actor, now }: Pick<Cx, "actor" | "now">): void {
  if (actor.kind === "system" || actor.session === "played") return
  const { session } = actor
  if (session && isProven(session.provenAt, now)) return
  throw refused("PROOF_REQUIRED", actor.program ? forPeople : undefined, { by: session?.proofBy ?? "password" })
}

/**
 * Refuses with SECOND_FACTOR_REQUIRED an actor whose account has no second factor, and asks for a fresh proof, which is
 * a code then. To be declared in the contract (`proofRequired`, `secondFactorRequired`).
 */
export function expectSecondFactor(cx: Pick<Cx, "actor" | "now">): void {
  expectProof(cx)
  const { actor } = cx
  if (actor.kind === "user" && typeof actor.session === "object" && actor.session.proofBy === "password")
    throw refused("SECOND_FACTOR_REQUIRED")
}

/** Refuses programs with FORBIDDEN where another person than the first has to agree. */
export function expectPerson({ actor }: Pick<Cx, "actor">): void {
  if (actor.kind === "user" && actor.program) throw refused("FORBIDDEN", forPeople)
}

import { isProven } from "@milkwood/domain/platform/proof"
import { type Cx, refused } from "./commands.ts"

/**
 * Refuses with PROOF_REQUIRED whoever has not proved for ten minutes who they are; for what moves money or rights. Our
 * own work asks nobody. To be declared in the contract (`proofRequired`).
 */
export function expectProof({ actor, now }: Pick<Cx, "actor" | "now">): void {
  if (actor.kind === "system" || actor.session === "played") return
  const { session } = actor
  if (session && isProven(session.provenAt, now)) return
  throw refused("PROOF_REQUIRED", undefined, { by: session?.proofBy ?? "password" })
}

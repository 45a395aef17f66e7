import { z } from "zod"
import { type Refusal, refuse } from "../kernel/refusal.ts"

export const usage = z.object({
  kind: z.enum(["configuration", "policy", "member", "import", "invoice", "claim"]),
  count: z.int(),
  examples: z.array(z.string()),
})

export type Usage = z.infer<typeof usage>

const usageNouns: Record<Usage["kind"], [one: string, many: string]> = {
  configuration: ["product benefit", "product benefits"],
  policy: ["policy", "policies"],
  member: ["member", "members"],
  import: ["staff list", "staff lists"],
  invoice: ["invoice", "invoices"],
  claim: ["claim", "claims"],
}

export function describeUsage(uses: readonly Usage[]): string {
  const parts = uses.map(({ kind, count, examples }) => {
    const named = examples.length > 0 ? ` (${examples.join(", ")}${count > examples.length ? ", …" : ""})` : ""
    return `${count} ${usageNouns[kind][count === 1 ? 0 : 1]}${named}`
  })
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`
}

/** Refuses IN_USE, naming the uses, while anything uses the record; otherwise null. `done` is the refused action. */
export function refuseIfUsed(name: string, uses: readonly Usage[], done = "deleted"): Refusal<"IN_USE"> | null {
  const used = uses.filter(({ count }) => count > 0)
  if (used.length === 0) return null
  return refuse("IN_USE", `${name} cannot be ${done}: it is used by ${describeUsage(used)}.`, { by: used })
}

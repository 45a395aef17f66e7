type Supplier = (...given: never[]) => unknown

/** A function that a module calls and a later module in `domain/src/rooms.ts` supplies. */
export type Port<F extends Supplier> = F & { supply(supplier: F): void }

/**
 * Declares a port in `<module>.ports.ts`. `server/src/ports.ts` connects all ports while modules load, so do not call
 * one at module level.
 *
 *     export const memberCount = port<(policyId: SQL) => SQL>()
 */
export function port<F extends Supplier>(): Port<F> {
  let supplied: F | undefined
  const call = (...given: never[]) => {
    if (!supplied) throw new Error("A port was called before server/src/ports.ts connected it.")
    return supplied(...given)
  }
  return Object.assign(call as F, {
    supply(supplier: F) {
      supplied = supplier
    },
  })
}

/** A missing or mistyped supplier is a compile error. */
export function connect<P extends Record<string, { supply(supplier: never): void }>>(
  ports: P,
  suppliers: { [K in keyof P]: P[K] extends { supply(supplier: infer F): void } ? F : never },
): void {
  for (const [name, one] of Object.entries(ports)) one.supply(suppliers[name] as never)
}

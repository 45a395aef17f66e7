type Supplier = (...given: never[]) => unknown

/** A function that a room calls and a room to its right supplies. */
export type Port<F extends Supplier> = F & { supply(supplier: F): void }

/**
 * Declares a port, in the file `<room>.ports.ts` of the room that calls it. `server/src/ports.ts` connects every port to
 * its supplier while the modules load, so a port is called when a statement is built, not when a module is loaded.
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

/** Connects all ports of a room; the compiler finds a port without a supplier, and one of another type. */
export function connect<P extends Record<string, { supply(supplier: never): void }>>(
  ports: P,
  suppliers: { [K in keyof P]: P[K] extends { supply(supplier: infer F): void } ? F : never },
): void {
  for (const [name, one] of Object.entries(ports)) one.supply(suppliers[name] as never)
}

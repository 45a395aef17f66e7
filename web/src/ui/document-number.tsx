import type { ReactNode } from "react"

/**
 * A record number that does not wrap: GP-2026-000123.
 *
 *     <DocumentNumber>{invoice.number}</DocumentNumber>
 */
export function DocumentNumber({ children }: { children: ReactNode }) {
  return <span className="document-number">{children}</span>
}

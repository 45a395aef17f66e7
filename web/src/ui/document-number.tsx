import type { ReactNode } from "react"

/**
 * The number of a record or document, in one piece: GP-2026-000123.
 *
 *     <DocumentNumber>{invoice.number}</DocumentNumber>
 */
export function DocumentNumber({ children }: { children: ReactNode }) {
  return <span className="document-number">{children}</span>
}

import type { LinkProps } from "@tanstack/react-router"

interface CatalogueEntry {
  name: string
  description: string
  link: LinkProps
  file: string
}

/** Every report of the house, by category. */
export const catalogue: { category: string; reports: CatalogueEntry[] }[] = [
  {
    category: "Financial",
    reports: [
      {
        name: "Debtors' ageing",
        description: "What each policy owes on a day, by how long it has been overdue, beside its unallocated credit.",
        link: { to: "/reports/debtors-ageing" },
        file: "/api/debtors-ageing.csv",
      },
    ],
  },
]

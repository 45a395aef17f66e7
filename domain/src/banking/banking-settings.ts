import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"

export const bankingSettings = {
  /** post bank lines automatically if they have an exact, unique reference or a payer confirmed three times */
  autoMatch: setting(z.boolean(), false, {
    kind: "switch",
    label: "Match bank lines automatically",
    help: "After an import, matches lines that have the reference and exact amount of an invoice, and lines from payers confirmed at least three times and never declined. Automatic matches are marked and can be undone",
  }),
  /** Largest line that is posted automatically, in cents. */
  autoMatchUpToCents: setting(cents.min(0, "The limit cannot be negative").max(100_000_000_000), 0, {
    kind: "money",
    label: "Largest amount matched automatically",
    help: "Lines above this amount are matched manually",
    needs: "autoMatch",
  }),
}

import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { text } from "../kernel/text-shape.ts"

/**
 * The ombud as published by the Ombud Council (ombudcouncil.org.za/national-financial-ombud-scheme) and the Banking
 * Association's code page on the National Financial Ombud Scheme South Africa, which replaced the Ombudsman for Long-term
 * Insurance on 1 March 2024 (nfosa.co.za/about-us).
 */
const ombud = [
  "National Financial Ombud Scheme South Africa (NFO)",
  "110 Oxford Road, Houghton Estate, Johannesburg, 2198",
  "Telephone 0860 800 900",
  "info@nfosa.co.za, www.nfosa.co.za",
].join("\n")

export const lettersSettings = {
  ombudContact: setting(text(1_000).min(1, "Enter the ombud's contact details"), ombud, {
    kind: "text",
    label: "Ombud",
    help: "Printed in letters about rejected claims: name, address, telephone and e-mail address. The compliance officer confirms it",
    required: "Enter the ombud's contact details",
  }),
  /**
   * Months after the time to object in which a claimant may take legal action. Policyholder Protection Rules (Long-term
   * Insurance), 2017, rule 17 (source.acts.co.za/long-term-insurance-act-1998/n1407_rule_17__claims_manageme.php): at
   * least 90 days for representations, and then at least six months before a time limit for legal action ends.
   */
  legalActionMonths: setting(
    z.int("Enter a number of months").min(6, "At least 6 months").max(60, "At most 60 months"),
    6,
    {
      kind: "number",
      label: "Time for legal action",
      help: "Months after the time to appeal in which a claimant can take legal action, printed in letters about rejected claims. The law requires at least 6; the compliance officer confirms it",
      unit: "a number of months",
    },
  ),
}

import { describe, expect, it } from "vitest"
import { chargesVat, refuseRates } from "../benefits/vat.ts"
import { refuseWithoutBankAccount, refuseWithoutVatNumber } from "./paper-rules.ts"

const bankAccount = {
  bank: "Protea Bank",
  accountHolder: "Milkwood",
  accountNumber: "0012345678",
  branchCode: "051001",
}

describe("an invoice", () => {
  it.each([
    { vatNumber: "", vatCents: 1, refused: true },
    { vatNumber: "", vatCents: 0, refused: false },
    { vatNumber: "", vatCents: -15_00, refused: false },
    { vatNumber: "4123456789", vatCents: 15_00, refused: false },
  ])("an invoice with VAT of $vatCents cents and the VAT number '$vatNumber' is refused: $refused", ({
    refused,
    ...of
  }) => {
    expect(refuseWithoutVatNumber(of, of)?.refused).toBe(refused ? "NO_VAT_NUMBER" : undefined)
  })
  it("an invoice cannot be sent without a bank account number", () => {
    expect(refuseWithoutBankAccount({ bankAccount })).toBeNull()
    expect(refuseWithoutBankAccount({ bankAccount: { ...bankAccount, accountNumber: "" } })?.refused).toBe(
      "NO_BANK_ACCOUNT",
    )
  })
})

describe("the rates of a product type", () => {
  const today = "2026-11-24"
  const first = (percent: number) => ({ from: null, percent })
  it.each([
    { rates: [], charges: true },
    { rates: [first(15)], charges: true },
    { rates: [first(0)], charges: false },
    { rates: [first(15), { from: "2026-11-24", percent: 0 }], charges: false },
    { rates: [first(15), { from: "2026-11-25", percent: 0 }], charges: true },
    { rates: [first(0), { from: "2027-01-01", percent: 15 }], charges: true },
  ])("the rates $rates charge VAT today or later: $charges", ({ rates, charges }) => {
    expect(chargesVat(rates, today)).toBe(charges)
    expect(refuseRates(rates, { vatNumber: "", today })?.refused).toBe(charges ? "NO_VAT_NUMBER" : undefined)
    expect(refuseRates(rates, { vatNumber: "4123456789", today })).toBeNull()
  })
})

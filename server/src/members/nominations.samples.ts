import type { NomineeInput } from "@milkwood/domain/members/nominations.contract"

/** An adult with a bank account and the whole benefit. */
export const sampleNominee = (values: Partial<NomineeInput> = {}): NomineeInput => ({
  name: "Anna Nkosi",
  relationship: "spouse",
  idNumber: null,
  dateOfBirth: "1980-05-01",
  phone: "0820000001",
  email: "anna@example.test",
  bank: "FNB",
  branchCode: "250655",
  accountNumber: "62001234567",
  shareBasisPoints: 10_000,
  ...values,
})

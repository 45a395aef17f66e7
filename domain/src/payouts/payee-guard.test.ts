import { expect, test } from "vitest"
import { findEarlierPayee } from "./payee-guard.ts"
import type { Payee } from "./payout-shape.ts"

const sipho: Payee = {
  ...{ method: "eft", payeeName: "S Dlamini", payeeBank: "FNB", payeeBranchCode: "250655" },
  ...{ payeeAccountNumber: "62001234567", payeeEmail: "" },
}
const otherAccount: Payee = { ...sipho, payeeAccountNumber: "62009999999" }
const otherPerson: Payee = { ...sipho, payeeName: "A Botha" }
const otherBranch: Payee = { ...sipho, payeeBranchCode: "632005" }
const cashPayee: Payee = { ...sipho, method: "cash", payeeBank: "", payeeBranchCode: "", payeeAccountNumber: "" }
const releasedAttempt = (payee: Payee) => ({ payee, isReleased: true })
const unreleasedAttempt = (payee: Payee) => ({ payee, isReleased: false })

test.each<[string, Payee, Parameters<typeof findEarlierPayee>[1], Payee | null]>([
  ["a first payment is not held", sipho, { attempts: [], known: null }, null],
  ["the same payee is not held", sipho, { attempts: [releasedAttempt(sipho)], known: sipho }, null],
  [
    "another spelling of the same name is not held",
    { ...sipho, payeeName: " s.  DLAMINI" },
    { attempts: [releasedAttempt(sipho)], known: null },
    null,
  ],
  [
    "another method to the same account is not held",
    { ...sipho, method: "bank_transfer" },
    { attempts: [releasedAttempt(sipho)], known: sipho },
    null,
  ],
  ["another account is held", otherAccount, { attempts: [releasedAttempt(sipho)], known: null }, sipho],
  ["another branch is held", otherBranch, { attempts: [releasedAttempt(sipho)], known: null }, sipho],
  ["another name at the same account is held", otherPerson, { attempts: [releasedAttempt(sipho)], known: null }, sipho],
  ["cash after a transfer is held", cashPayee, { attempts: [releasedAttempt(sipho)], known: null }, sipho],
  [
    "the last released attempt counts, not those before it",
    otherAccount,
    { attempts: [releasedAttempt(otherAccount), releasedAttempt(sipho)], known: null },
    null,
  ],
  [
    "an earlier payee is held again once another was released",
    sipho,
    { attempts: [releasedAttempt(otherAccount), releasedAttempt(sipho)], known: null },
    otherAccount,
  ],
  [
    "an attempt that was never released does not replace the released one",
    otherAccount,
    { attempts: [releasedAttempt(sipho), unreleasedAttempt(otherAccount)], known: null },
    sipho,
  ],
  [
    "a cancelled attempt counts while none was released",
    otherAccount,
    { attempts: [unreleasedAttempt(sipho)], known: null },
    sipho,
  ],
  [
    "each attempt counts while none was released",
    otherAccount,
    { attempts: [unreleasedAttempt(otherAccount), unreleasedAttempt(sipho)], known: null },
    sipho,
  ],
  ["another account of a known payee is held", otherAccount, { attempts: [], known: sipho }, sipho],
  ["another payee of another claim is not held", otherPerson, { attempts: [], known: sipho }, null],
  ["cash to a known payee is not held", cashPayee, { attempts: [], known: sipho }, null],
  [
    "a former account of a known payee is held",
    sipho,
    { attempts: [releasedAttempt(sipho)], known: otherAccount },
    otherAccount,
  ],
])("%s", (_, payee, earlier, held) => expect(findEarlierPayee(payee, earlier)).toEqual(held))

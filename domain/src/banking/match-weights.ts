/** All match weights in points; tune them only here. */
export const weights = {
  invoice: { none: 60, short: 45, swapped: 25 },
  paidInvoice: { none: 30, short: 20, swapped: 8 },
  policy: { none: 50, short: 40, swapped: 22 },
  receipt: { none: 60, short: 45, swapped: 25 },
  named: { whole: 35, begun: 24 },
  namesSeveral: 41,
  namesAnother: -30,
  learnt: { once: 38, more: 6, atMost: 3 },
  declined: -30,
  amount: {
    named: 40,
    turned: 38,
    one: 30,
    several: 26,
    all: 30,
    group: 28,
    shared: -8,
    pair: 18,
    usual: 16,
    less: 8,
    rounded: 8,
    other: -12,
    only: 8,
  },
  same: 34,
  returned: 25,
  bankWord: 36,
  ownAccount: 60,
  day: { same: 6, near: 4, apart: -10 },
  month: { same: 6, other: -12 },
} as const

/** Candidates with a lower score are not offered. */
export const minScore = 15
export const maxCandidates = 6

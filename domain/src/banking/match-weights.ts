/** Everything that speaks for a candidate or against it, in points. To be tuned here alone. */
export const weights = {
  invoice: { none: 60, short: 45, swapped: 25 },
  /** An invoice that is paid already still names its policy. */
  paidInvoice: { none: 30, short: 20, swapped: 8 },
  policy: { none: 50, short: 40, swapped: 22 },
  receipt: { none: 60, short: 45, swapped: 25 },
  named: { whole: 35, begun: 24 },
  /** The line has the names of several employers. */
  namesSeveral: 41,
  /** The line has the whole name of somebody else. */
  namesAnother: -30,
  learnt: { once: 38, more: 6, atMost: 3 },
  declined: -30,
  amount: {
    /** What the invoices named in the line come to. */
    named: 40,
    /** The invoice that is named but for two digits. */
    turned: 38,
    one: 30,
    several: 26,
    all: 30,
    group: 28,
    /** Shared between the employers that the line names, by what is open. */
    shared: -8,
    /** Two open invoices of a line that names nobody. */
    pair: 18,
    usual: 16,
    /** A little less than is open: a charge taken off, perhaps. */
    less: 8,
    /** The next round amount after the invoices that the line names. */
    rounded: 8,
    other: -12,
    /** Nobody else has it open. */
    only: 8,
  },
  /** A receipt or payment that is there, of the same amount. */
  same: 34,
  /** The line speaks of a return. */
  returned: 25,
  /** The bank's own word for a charge or interest. */
  bankWord: 36,
  /** The number of another account of the organisation. */
  ownAccount: 60,
  day: { same: 6, near: 4, apart: -10 },
  /** The line names the month of the invoice, or another. */
  month: { same: 6, other: -12 },
} as const

/** Below this nothing is offered. */
export const leastScore = 15
/** So many candidates are offered of a line. */
export const mostCandidates = 6

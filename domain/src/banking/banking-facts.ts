import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { lineStateNames, type PlacementKind } from "./bank-placement.ts"

interface AccountFactHead {
  record: { kind: "bank_account"; id: string; label: string }
  groupId: null
}

interface StatementFactHead {
  record: { kind: "bank_statement"; id: string; label: string }
  groupId: null
}

/** The history of a line is shown with its statement. */
interface LineFactHead extends StatementFactHead {
  text: string
  amountCents: Cents
}

/** Bank events concern only the organisation, so no employer's history shows them. */
export type BankingFact =
  | (AccountFactHead & { type: "BankAccountAdded"; after: Record<string, unknown> })
  | (AccountFactHead & { type: "BankAccountEdited"; before: Record<string, unknown>; after: Record<string, unknown> })
  | (AccountFactHead & { type: "BankAccountOpened"; openedOn: string; openingCents: Cents })
  | (AccountFactHead & {
      type: "BankOpeningCorrected"
      before: { openingCents: Cents }
      after: { openingCents: Cents }
      reason: string
    })
  | (StatementFactHead & {
      type: "BankStatementImported"
      account: string
      fileName: string
      sha256: string
      fresh: number
      known: number
      faults: string[]
    })
  | (StatementFactHead & { type: "BankStatementUndone"; fileName: string; lines: number })
  | (LineFactHead & {
      type: "BankLinePlaced"
      kind: PlacementKind
      note: string
      records: string
      isAutomatic: boolean
    })
  | (LineFactHead & { type: "BankLineUndone"; why: string })
  | (LineFactHead & { type: "BankSuggestionDeclined"; records: string })
  /** Shown with the policy. Without a policy, the payer's lines were marked as not ours. */
  | {
      type: "BankPayerForgotten"
      record: { kind: "policy" | "bank_payer"; id: string; label: string }
      groupId: null
      payer: string
    }

type FactOf<T extends BankingFact["type"]> = Extract<BankingFact, { type: T }>

const describeLine = ({ text, amountCents }: LineFactHead, currency: Currency) =>
  `${formatMoney(amountCents, currency)}${text ? ` (${text})` : ""}`

const lineCountText = (count: number) => `${count} ${count === 1 ? "line" : "lines"}`

export const bankingSentences: { [T in BankingFact["type"]]: (fact: FactOf<T>, currency: Currency) => string } = {
  BankAccountAdded: () => "added the bank account",
  BankAccountEdited: () => "edited the bank account",
  BankAccountOpened: (fact, currency) => `posted the opening balance of ${formatMoney(fact.openingCents, currency)}`,
  BankOpeningCorrected: ({ before, after }, currency) =>
    `corrected the opening balance from ${formatMoney(before.openingCents, currency)} to ${formatMoney(after.openingCents, currency)}`,
  BankLinePlaced: (fact, currency) =>
    fact.records
      ? `${fact.isAutomatic ? "matched automatically" : "matched"} ${describeLine(fact, currency)} with ${fact.records}`
      : `marked ${describeLine(fact, currency)} as ${lineStateNames[fact.kind].toLowerCase()}${fact.note ? `: ${fact.note}` : ""}`,
  BankSuggestionDeclined: (fact, currency) => `declined to match ${describeLine(fact, currency)} with ${fact.records}`,
  BankPayerForgotten: (fact) => `removed the known payer “${fact.payer}”`,
  BankLineUndone: (fact, currency) => `unmatched ${describeLine(fact, currency)}: ${fact.why}`,
  BankStatementUndone: (fact) => `undid the import of ${fact.fileName} and removed ${lineCountText(fact.lines)}`,
  BankStatementImported: (fact) =>
    `imported ${lineCountText(fact.fresh)} from ${fact.fileName}${fact.known > 0 ? `; already imported: ${lineCountText(fact.known)}` : ""}`,
}

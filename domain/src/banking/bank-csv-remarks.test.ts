import { describe, expect, test } from "vitest"
import { readBankCsv } from "./bank-csv.ts"
import { openingOf } from "./statement.ts"

const parseRows = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((row) => row.split(",").map((cell) => cell.trim()))

const readCents = (text: string, column: number) =>
  parseRows(text)
    .slice(1)
    .map((cells) => Math.round(Number(cells[column]) * 100))

const readStatement = (text: string) => readBankCsv(parseRows(text), "ZAR")![0]!
const summarizeLines = (text: string) => {
  const { lines, leftOut, faults } = readStatement(text)
  return {
    lines: lines.map(({ text, amountCents }) => `${text} ${amountCents}`),
    leftOut: leftOut!.map(({ line, text, why }) => `${line} ${text}: ${why}`),
    faults: faults.length,
  }
}

describe("a payment whose text looks like a total or a balance", () => {
  const first = `Date,Description,Amount,Balance
2026/10/01,TOTAL MEDICAL SUPPLIES GP-2025-000001,1000.00,4000.00
2026/10/02,EFT SOWETO RETAIL,250.00,4250.00
2026/10/03,Opening balance adjustment,-50.00,4200.00
2026/10/04,Total Johannesburg (Card 1234),-65.90,4134.10`

  test("is read as a line at any position in a file", () => {
    const statement = readStatement(first)
    expect(statement.lines.map(({ amountCents }) => amountCents)).toEqual(readCents(first, 2))
    expect(openingOf(statement)).toBe(3_000_00)
    expect(statement).toMatchObject({ faults: [], leftOut: [] })
  })

  test("is read as a line in a file sorted newest first", () => {
    const [header, ...rows] = first.split("\n")
    const statement = readStatement([header, ...rows.reverse()].join("\n"))
    expect(statement.lines.map(({ amountCents }) => amountCents)).toEqual(readCents(first, 2))
  })

  test("is read as a line in a file without balances", () => {
    const text = `Date,Description,Amount
2026/10/01,Closing balance of old policy,80.00
2026/10/02,Total Johannesburg (Card 1234),-65.90`
    expect(readStatement(text)).toMatchObject({ faults: [], leftOut: [] })
    expect(readStatement(text).lines.map(({ amountCents }) => amountCents)).toEqual(readCents(text, 2))
  })

  test("is read as a line if money in, money out and fees have separate columns", () => {
    const text = `Nr,Account,Posting Date,Description,Money In,Money Out,Fee,Balance
1,123,2026-10-01,Salary,15000.00,,,15000.00
2,123,2026-10-02,Total Johannesburg (Card 1234),,-65.90,-1.00,14933.10
3,123,2026-10-03,Cafe,,-10.00,,14923.10`
    expect(summarizeLines(text)).toEqual({
      lines: ["Salary 1500000", "Total Johannesburg (Card 1234) -6690", "Cafe -1000"],
      leftOut: [],
      faults: 0,
    })
  })
})

describe("a CSV row that is not a payment", () => {
  test("is skipped if its amount only repeats the balance", () => {
    const text = `Date,Description,Amount,Balance
2026/10/01,Opening balance,1000.00,1000.00
2026/10/01,EFT,250.00,1250.00
2026/10/02,Subtotal,250.00,1250.00
2026/10/02,FEE,-50.00,1200.00
2026/10/02,Closing balance,1200.00,1200.00`
    expect(summarizeLines(text)).toEqual({
      lines: ["EFT 25000", "FEE -5000"],
      leftOut: ["2 Opening balance: balance", "4 Subtotal: balance", "6 Closing balance: balance"],
      faults: 0,
    })
    expect(openingOf(readStatement(text))).toBe(1_000_00)
  })

  test("is skipped if it is a total and the balances are consistent without it", () => {
    const text = `Date,Description,Amount,Balance
2026/10/01,EFT,250.00,1250.00
2026/10/01,Total of the branch,250.00,
2026/10/02,FEE,-50.00,1200.00`
    expect(summarizeLines(text)).toEqual({
      lines: ["EFT 25000", "FEE -5000"],
      leftOut: ["3 Total of the branch: balance"],
      faults: 0,
    })
  })

  test("is skipped if it has no amount or no date", () => {
    const text = `Date,Description,Amount,Balance
2026/10/01,OPEN BALANCE,,+1000.00
2026/10/01,EFT,250.00,1250.00
2026/10/02,PROVISIONAL STATEMENT,0.00,1250.00
2026/10/02,A note of the bank,,
,Total,250.00,`
    expect(summarizeLines(text)).toEqual({
      lines: ["EFT 25000"],
      leftOut: [
        "2 OPEN BALANCE: no amount",
        "4 PROVISIONAL STATEMENT: no amount",
        "5 A note of the bank: no amount",
        "6 Total: no date",
      ],
      faults: 0,
    })
  })

  test("is a payment with a fault if it is a bare total without balance", () => {
    const text = `Date,Description,Amount
2026/10/01,EFT,250.00
2026/10/02,Total,250.00`
    expect(summarizeLines(text)).toEqual({ lines: ["EFT 25000", "Total 25000"], leftOut: [], faults: 1 })
    expect(readStatement(text).faults[0]!.sentence).toMatch(/^Line 3: “Total” of R.250,00 may not be a payment\./)
  })

  test("is a fault if it is a total with an invalid date", () => {
    const text = `Date,Description,Amount
2026/10/01,EFT,250.00
2026/13/02,Total Johannesburg,-65.90`
    expect(summarizeLines(text)).toEqual({ lines: ["EFT 25000"], leftOut: [], faults: 1 })
  })
})

describe("ING", () => {
  test("the Dutch export: Af and Bij give the sign, Saldo is checked", () => {
    const text = `Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen;Saldo na mutatie;Tag
20260116;Werkgever BV;NL01INGB0001234567;NL02ABNA0009876543;OV;Bij;2.500,00;Overschrijving;INV-2026-000012;2.974,50;
20260115;Albert Heijn 1234;NL01INGB0001234567;;BA;Af;25,50;Betaalautomaat;Pasvolgnr 001;474,50;`
    const [statement] = readBankCsv(
      text.split("\n").map((row) => row.split(";")),
      "EUR",
    )!
    expect(statement).toMatchObject({
      ...{ account: "NL01INGB0001234567", currency: "EUR", faults: [], leftOut: [] },
      lines: [
        { day: "2026-01-15", amountCents: -25_50, text: "Albert Heijn 1234 Pasvolgnr 001", balanceCents: 474_50 },
        { day: "2026-01-16", amountCents: 2_500_00, text: "Werkgever BV INV-2026-000012", balanceCents: 2_974_50 },
      ],
    })
  })

  test("the English export without balances", () => {
    const text = `Date;Name / Description;Account;Counterparty;Code;Debit/credit;Amount (EUR);Transaction type;Notifications
20260115;Some Shop B.V.;NL01INGB0001234567;;BA;Debit;12,34;Payment terminal;
20260116;Employer;NL01INGB0001234567;;OV;Credit;100,00;Transfer;Premium`
    const [statement] = readBankCsv(
      text.split("\n").map((row) => row.split(";")),
      "EUR",
    )!
    expect(statement!.lines.map(({ amountCents }) => amountCents)).toEqual([-12_34, 100_00])
  })

  test("the German export: its preamble names the account", () => {
    const text = `Umsatzanzeige;Datei erstellt am: 28.03.2020 10:14
IBAN;DE91 1000 0000 0123 4567 89
Bank;ING
Saldo;6.823,05;EUR

Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung
26.04.2019;26.04.2019;Acme Corp GmbH;Gehalt/Rente;LOHN 04/19;10.607,27;EUR;3.784,22;EUR
24.04.2019;29.04.2019;VISA RYANAIR;Lastschrift;NR8123456015 DUBLIN;6.823,05;EUR;-16,00;EUR`
    const [statement] = readBankCsv(
      text.split("\n").map((row) => row.split(";")),
      "EUR",
    )!
    expect(statement).toMatchObject({
      ...{ account: "DE91 1000 0000 0123 4567 89", faults: [] },
      lines: [
        { day: "2019-04-24", amountCents: -16_00, text: "VISA RYANAIR NR8123456015 DUBLIN" },
        { day: "2019-04-26", amountCents: 3_784_22, balanceCents: 10_607_27 },
      ],
    })
  })
})

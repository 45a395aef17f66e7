import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readBankCsv } from "@milkwood/domain/banking/bank-csv"
import type { ReadStatement } from "@milkwood/domain/banking/statement"
import { describe, expect, test } from "vitest"
import { readStatementFile } from "./read-statement.ts"

/** Third-party files, not part of the product. Without the folder these tests are skipped. */
const folder = join(import.meta.dirname, "../../../../shared/fixtures/public/bank")
const hasFixtures = existsSync(folder)

function parseStatements(bytes: Buffer): ReadStatement[] | null {
  const content = readStatementFile(bytes, "ZAR")
  return content.format === "csv" ? readBankCsv(content.rows, "ZAR") : content.statements
}

const summarizeStatement = ({ account, openingCents, closingCents, lines, faults }: ReadStatement) =>
  [
    account ?? "-",
    `${openingCents ?? "-"} > ${closingCents ?? "-"}`,
    `${lines.length} lines ${lines.reduce((sum, { amountCents }) => sum + amountCents, 0)}`,
    ...(faults.length > 0 ? [`${faults.length} faults`] : []),
  ].join(", ")

const incompleteFault = "is incomplete"
const interimFault = "interim report"

const expected: Record<string, string | string[] | null> = {
  "camt053/actual__camt.latin1.xml": interimFault,
  "camt053/genkgo__camt052.v2.other-account.xml": interimFault,
  "camt053/genkgo__camt052.v6.Amt-zero.xml": interimFault,
  "camt053/genkgo__camt052.v6.xml": interimFault,
  "camt053/genkgo__camt052.v8.xml": interimFault,
  "camt053/genkgo__camt053.v2.minimal.ultimate.xml": ["NL26VAYB8060476890, 1815 > -2700, 1 lines 885, 1 faults"],
  "camt053/genkgo__camt053.v2.minimal.xml": ["NL26VAYB8060476890, 1815 > -2700, 1 lines 885, 1 faults"],
  "camt053/genkgo__camt053.v2.multi.statement.xml": [
    "NL26VAYB8060476890, 1815 > 2700, 1 lines 885",
    "NL26VAYB8060476890, 2700 > 2000, 1 lines -700",
  ],
  "camt053/genkgo__camt053.v2.with-account-name.xml": ["CH2801234000123456789, - > -, 1 lines 885"],
  "camt053/genkgo__camt053.v2.with-party-ids.xml": ["NL26VAYB8060476890, 1815 > -2700, 1 lines 885, 1 faults"],
  "camt053/genkgo__camt053.v2.wrong.xml": "no statement in the XML file",
  "camt053/genkgo__camt053.v8.xml": ["NL26VAYB8060476890, 1815 > -2700, 1 lines 885, 1 faults"],
  "camt053/genkgo__camt054.v2.with-account-name.xml": "notification",
  "camt053/genkgo__camt054.v2.xml": "notification",
  "camt053/genkgo__camt054.v4.xml": "notification",
  "camt053/genkgo__camt054.v8-with-UETR.xml": "notification",
  "camt053/genkgo__camt054.v8-with-financial-institution.xml": "notification",
  "camt053/genkgo__camt53.only-Dt-with-DtTm.xml": ["GB33BUKB20201555555555, 544209 > -, 0 lines 0"],
  // The headers are Hungarian, so the user must choose the columns.
  "csv/actual__utf-8-bom-29cols.csv": null,
  "csv/actual__windows-1252-euro.csv": ["-, - > -, 1 lines 10025"],
  "mt940/mt940js__testX.mt940": ["123456789, 0 > 50000, 1 lines 50000", "123456789, 305898 > 79898, 2 lines -226000"],
  "mt940/wolph__ASNB__mt940.txt": ["NL81ASNB9999999999, 44429 > 37929, 1 lines -6500", "… 31"],
  "mt940/wolph__betterplace__amount_formats.sta": incompleteFault,
  "mt940/wolph__betterplace__currency_in_25.sta": incompleteFault,
  "mt940/wolph__betterplace__empty_entry_date.sta": incompleteFault,
  "mt940/wolph__betterplace__empty_line.sta": incompleteFault,
  "mt940/wolph__betterplace__sepa_mt9401.sta": [
    "50880050/0194774600888, -123471836 > -123762823, 7 lines -290987",
    "… 26",
  ],
  "mt940/wolph__betterplace__sepa_snippet.sta": [
    "50880050/0194787400888, 76665649 > 112525040, 4 lines 35859391",
    "50880050/0194791600888, -197043187 > -447204909, 7 lines -250191730, 1 faults",
  ],
  "mt940/wolph__betterplace__with_binary_character.sta": [
    "51230800/0000007055, 38011577 > 19992902, 3 lines -18018675",
    "51230800/0000007304, 13007319 > 13119319, 1 lines 112000",
  ],
  "mt940/wolph__citi__mt940.txt": ["123456789, 1737667 > 1623392, 5 lines -114275"],
  "mt940/wolph__cmxl__account_balance_debit.sta": incompleteFault,
  "mt940/wolph__cmxl__account_identification_legacy.sta": incompleteFault,
  "mt940/wolph__cmxl__available_balance.sta": incompleteFault,
  "mt940/wolph__cmxl__closing_balance.sta": incompleteFault,
  "mt940/wolph__cmxl__mt940.sta": [
    "45050050/76198810, 8434974 > 8443704, 11 lines 8730",
    "10020030/1234567, 218795 > 438795, 2 lines 220000",
    "BPHKPLPK/320000546101, 4000000 > 5004000, 3 lines 1004000",
  ],
  "mt940/wolph__cmxl__reference.sta": incompleteFault,
  "mt940/wolph__cmxl__statement_details.sta": incompleteFault,
  "mt940/wolph__cmxl__statement_line.sta": incompleteFault,
  "mt940/wolph__jejik__rabobank-iban.sta": [
    "NL71RABO0123456789, 100000 > 96500, 2 lines -3500",
    "NL71RABO0123456789, 96500 > 93000, 2 lines -3500",
  ],
  "mt940/wolph__jejik__rabobank.sta": [
    "1291.99.348EUR, 47317 > 39582, 1 lines -121328, 1 faults",
    "1291.99.348EUR, 100089 > 100089, 0 lines 0",
    "1291.99.348EUR, 129582 > 125087, 2 lines -28151, 1 faults",
    "1526.89.184EUR, 419612 > 410182, 2 lines -9430",
  ],
  "mt940/wolph__jejik__sns.sta": [
    "0123456789, 123456 > 120956, 2 lines -2500",
    "0123456789, 120956 > 120956, 0 lines 0",
  ],
  "mt940/wolph__jejik__triodos.sta": ["TRIODOSBANK/0390123456, 497509 > 437079, 2 lines -71570, 1 faults"],
  "mt940/wolph__mBank__mt942.sta": "interim report (MT942)",
  "mt940/wolph__mBank__with_newline_in_tnr.sta": ["PL29114010810000267002001002, 46 > 86017, 2 lines 8900, 1 faults"],
  "mt940/wolph__self-provided__account_identification.sta": incompleteFault,
  "mt940/wolph__self-provided__february_30.sta": ["12345678/1020304050, 120000 > 119400, 1 lines -600"],
  "mt940/wolph__self-provided__long_statement_number.sta": ["0067-00763/93984487, 0 > 0, 0 lines 0"],
  "mt940/wolph__self-provided__malformed_details.sta": [
    "12345678/1020304050, 1234512 > 1234598, 1 lines -23315, 1 faults",
  ],
  "mt940/wolph__self-provided__multiline.sta": [
    "BILLLULLXXX/NUMERO DE COMPTE IBAN 2, 1640 > 1140, 2 lines 11400, 1 faults",
  ],
  "mt940/wolph__self-provided__overly_long_details.sta": [
    "12345678/1020304050, 1234512 > 1234598, 1 lines -23315, 1 faults",
  ],
  "mt940/wolph__self-provided__raiffeisen-cmi.sta": [
    "UBRTHUHB/123456789150ABCDEF002/HUF, 2517063710 > 2528168760, 7 lines -101221350, 1 faults",
  ],
  "mt940/wolph__self-provided__sparkassen.sta": incompleteFault,
  "mt940/wolph__self-provided__transaction_details_wrapped.sta": ["12345678/1020304050, 120000 > 119400, 1 lines -600"],
  "mt940/wolph__self-provided__whitespace.sta": ["12345678/1020304050, 1234512 > 1234598, 1 lines -23315, 1 faults"],
  "mt940/wolph__self-provided__wrapped_timestamp.sta": ["12345678/1020304050, 120000 > 119400, 1 lines -600"],
  "ofx/actual__data-multi-decimal.ofx": ["123456789123, - > -, 2 lines -3377"],
  "ofx/asgrim__ofxdata-banking-xml200.ofx": ["12345678901, - > -, 0 lines 0, 1 faults"],
  "ofx/asgrim__ofxdata-bb-two-stmtrs.ofx": ["455000-5, - > -, 0 lines 0", "655000-2, - > -, 36 lines -364866"],
  "ofx/asgrim__ofxdata-bb.ofx": ["455000-5, - > -, 1 lines 23955"],
  "ofx/asgrim__ofxdata-bpbfc.ofx": ["XXXXXXXXXXX, - > -, 6 lines -5349"],
  "ofx/asgrim__ofxdata-investments-multiple-accounts-xml.ofx": "no statement of a bank account",
  "ofx/asgrim__ofxdata-investments-oneline-xml.ofx": "no statement of a bank account",
  "ofx/asgrim__ofxdata-memoWithAmpersand.ofx": ["99999999-9999-9999-9999-999999999999, - > -, 16 lines 39382"],
  "ofx/asgrim__ofxdata-memoWithQuotes.ofx": ["99999999-9999-9999-9999-999999999999, - > -, 16 lines 39382"],
  "ofx/asgrim__ofxdata-selfclose.ofx": ["3037198326, - > -, 5 lines 58500"],
  "ofx/asgrim__ofxdata-xml.ofx": ["098-121, - > -, 3 lines 25000"],
  "ofx/node-ofx__example-xml.qfx": ["XXXXXXXXXX, - > -, 1 lines 84"],
  "ofx/node-ofx__example1.ofx": ["1234567-00, - > -, 5 lines -17311"],
  "ofx/ofxparse__decimal_error.ofx": ["192639749, - > -, 0 lines 0, 1 faults"],
  "za/absa__input-invalid-sample.csv": ["-, - > -, 3 lines 195000"],
  "za/bankzero__bankzero_account.csv": ["-, - > -, 3 lines -79500"],
  "za/bankzero__bankzero_account_history.csv": ["-, - > -, 3 lines 164456, 1 faults"],
  "za/capitec__12col-fee-correction-rows.csv": ["1768000098, - > -, 4 lines 3948500"],
  "za/capitec__CapitecBankTransactionHistory_OFX1.ofx": ["1234567890, - > -, 36 lines 360721"],
  "za/capitec__CapitecBankTransactionHistory_OFX2.ofx": ["1234567890, - > -, 36 lines 360721"],
  "za/capitec__personal-12col.csv": ["123, - > -, 3 lines 1484250"],
  // The sample's author edited the amounts.
  "za/fnb-rmb__rmbpb_account.csv": ["123412341234, - > -, 17 lines -2466295, 1 faults"],
  "za/fnb__emailed-style-upload.csv": ["000000, - > -, 3 lines 20000, 1 faults"],
  "za/fnb__history-duplicates-and-bad-row.csv": ["12345678901, - > -, 2 lines -2000, 1 faults"],
  "za/fnb__preamble-acc-no.csv": ["62000000000, 100000 > -, 2 lines 1485000"],
  // One row cannot be read, so a balance does not follow from the previous one.
  "za/fnb__recreated-statement-bad-date.csv": ["12345, - > -, 2 lines 5000, 2 faults"],
  // The sample has three of the statement's nine lines: debits, credits and a balance disagree.
  "za/fnb__recreated-statement.csv": ["12345678901, 101089 > 2239, 3 lines 3250, 3 faults"],
  "za/generic-za__bracketed-negative.csv": ["-, - > -, 2 lines -95000"],
  "za/generic-za__brackets-rand-spaces.csv": ["-, - > -, 3 lines 1383750, 1 faults"],
  "za/generic-za__semicolon-decimal-comma.csv": ["-, - > -, 2 lines 1485000"],
  "za/nedbank__cheque-headerless.csv": ["1000000000, - > -, 5 lines 1339496"],
  "za/nedbank__credit-card-two-dates.csv": ["5000000000000000, - > -, 4 lines 47931"],
}
const qif = "The file is QIF"

describe.skipIf(!hasFixtures)("bank statement files", () => {
  const files = hasFixtures
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : []
  const names = files.map((file) => join(file.parentPath, file.name).slice(folder.length + 1))

  test.each(names)("%s", (name) => {
    const bytes = readFileSync(join(folder, name))
    const want = name.startsWith("qif/") ? qif : expected[name]
    expect(want, "a file that nothing is expected of").not.toBe(undefined)
    if (typeof want === "string") {
      expect(() => parseStatements(bytes)).toThrow(want)
      return
    }
    const found = parseStatements(bytes)
    if (want === null) return expect(found).toBe(null)
    const [first, count] = [want?.[0], /^… (\d+)$/.exec(want?.[1] ?? "")?.[1]]
    if (count) {
      expect(found).toHaveLength(Number(count))
      expect(summarizeStatement(found![0]!)).toBe(first)
      expect(found!.flatMap(({ faults }) => faults)).toEqual([])
    } else expect(found?.map(summarizeStatement)).toEqual(want)
  })

  const lines = (name: string) =>
    parseStatements(readFileSync(join(folder, name)))!.flatMap((statement) => statement.lines)
  const faults = (name: string) =>
    parseStatements(readFileSync(join(folder, name)))!.flatMap((statement) => statement.faults)

  test("sample bank statements give the amounts, dates and texts of their notes", () => {
    expect(lines("za/fnb-rmb__rmbpb_account.csv").find(({ text }) => text.startsWith("Pharmacy"))).toMatchObject({
      ...{ day: "2021-12-11", amountCents: -534_63, balanceCents: 8_081_49 },
    })
    expect(lines("za/generic-za__brackets-rand-spaces.csv").map(({ amountCents }) => amountCents)).toEqual([
      -1_150_00, 15_000_00, -12_50,
    ])
    expect(lines("za/capitec__personal-12col.csv").map(({ amountCents }) => amountCents)).toEqual([
      -150_00, 15_000_00, -7_50,
    ])
    expect(lines("za/capitec__12col-fee-correction-rows.csv").map(({ amountCents }) => amountCents)).toEqual([
      40_000_00, -515_00, -35, 35,
    ])
    expect(lines("za/fnb__emailed-style-upload.csv").map(({ day }) => day)).toEqual([
      "2018-01-01",
      "2018-01-02",
      "2018-01-03",
    ])
    expect(lines("za/nedbank__cheque-headerless.csv").at(-1)).toMatchObject({
      day: "2026-07-28",
      balanceCents: 10_812_00,
    })
    // The file has the invalid value date 30 February.
    expect(lines("mt940/wolph__self-provided__february_30.sta")[0]!.day).toBe("2016-03-01")
    expect(lines("csv/actual__windows-1252-euro.csv")[0]!.text).toBe("Café €Rémy")
    expect(lines("ofx/asgrim__ofxdata-memoWithAmpersand.ofx")[0]!.text).toBe("Amazon.Com.Br Amazon & Cloud 3/3")
    expect(lines("mt940/wolph__self-provided__wrapped_timestamp.sta")[0]!.text).toContain("16:26:37 Fo")
  })

  test("the same payments in OFX 1 and OFX 2 yield the same lines", () => {
    const [one, two] = ["OFX1", "OFX2"].map((version) =>
      lines(`za/capitec__CapitecBankTransactionHistory_${version}.ofx`),
    )
    expect(two).toEqual(one)
  })

  test("names the first balance that does not follow and the rows that cannot be read", () => {
    expect(faults("za/fnb__recreated-statement.csv").at(-1)).toEqual({
      line: 15,
      sentence:
        "Line 15 (2026-02-17, CARD PURCHASE): the balance is R 1 031,89, but R 1 960,89 plus -R 917,50 is R 1 043,39.".replace(
          /(?<=R) | (?=\d{3},)/g,
          "\u00a0",
        ),
    })
    expect(faults("za/fnb__history-duplicates-and-bad-row.csv")).toEqual([
      { line: 10, sentence: "Line 10: “broken” is not an amount." },
    ])
  })

  test("reads an MT940 fragment inside a complete message", () => {
    const piece = (name: string) => readFileSync(join(folder, `mt940/${name}.sta`), "utf8")
    const framed = (body: string, closes: string) =>
      Buffer.from(`:20:A\n:25:1234567\n:28C:1/1\n:60F:C140101EUR0,\n${body}\n:62F:${closes}\n-\n`)
    for (const [name, cents, closes] of [
      ["wolph__cmxl__statement_line", -1_62, "D140901EUR1,62"],
      ["wolph__cmxl__statement_details", -1_62, "D140901EUR1,62"],
      ["wolph__betterplace__empty_entry_date", 50_00, "C110701EUR50,"],
      ["wolph__self-provided__sparkassen", 30_00, "C181126EUR30,"],
    ] as const) {
      const [statement] = parseStatements(framed(piece(name), closes))!
      expect(statement, name).toMatchObject({ lines: [{ amountCents: cents }], faults: [] })
    }
    for (const [spelling, cents] of [
      ["380115,1", 380_115_10],
      ["380115,", 380_115_00],
      ["00,12", 12],
      ["001,12", 1_12],
    ]) {
      const bytes = Buffer.from(`:20:A\n:25:1\n:60F:C100318EUR${spelling}\n:62F:C100318EUR${spelling}\n-`)
      expect(parseStatements(bytes)![0]).toMatchObject({ openingCents: cents, faults: [] })
    }
  })
})

const fnb = "ACC-NO,62000000000\nOpening Balance,1000.00\n\nDate, Amount, Balance, Description\n"

describe("a file that is not a statement is refused with a sentence", () => {
  const camt = (inside: string) =>
    `<?xml version="1.0"?>${inside}<Document><BkToCstmrStmt><Stmt/></BkToCstmrStmt></Document>`
  const ofx = "<OFX><STMTRS><CURDEF>ZAR<STMTTRN><TRNAMT>1<DTPOSTED>20260101</STMTTRN></STMTRS></OFX>"
  const locked = Buffer.concat([Buffer.from("PK\x03\x04\x14\x00\x01\x00", "latin1"), Buffer.alloc(40)])
  test.each<[string, string | Buffer, RegExp]>([
    ["a DOCTYPE", camt('<!DOCTYPE a [<!ENTITY b "c">]>'), /DOCTYPE/],
    ["a DOCTYPE in OFX", `<!DOCTYPE OFX>${ofx}`, /DOCTYPE/],
    ["an entity of its own", camt("<!ENTITY b SYSTEM 'file:///etc/passwd'>"), /DOCTYPE/],
    ["XML that was cut", camt("").slice(0, 60), /damaged or incomplete/],
    ["OFX that was cut", ofx.slice(0, -6), /is incomplete/],
    ["MT940 that was cut", ":20:A\n:25:123\n:28C:1\n:60F:C260101ZAR1,\n:61:2601010101C1,NTRF\n", /:62F:/],
    ["an archive with a password", locked, /password-protected archive/],
    [
      "a workbook with a password",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
      /workbook is password-protected/,
    ],
    ["a PDF", "%PDF-1.7\n", /is a PDF\. Download/],
    ["a PDF with a password", "%PDF-1.7\n/Encrypt 1 0 R", /password-protected PDF/],
    [
      "two encodings",
      Buffer.concat([Buffer.from(`${fnb}2026/01/01,1,2,Café\n`), Buffer.from("2026/01/02,1,3,Caf\xe9\n", "latin1")]),
      /mixes two encodings/,
    ],
    ["a web page", "<html><body>Sign in</body></html>", /web page/],
    ["a letter", "Dear sir,\nplease find enclosed", /not a bank statement/],
    ["bytes", Buffer.from([1, 2, 0, 3, 0, 0, 9]), /not a bank statement/],
    ["300,000 entries of OFX", `<OFX><STMTRS>${"<STMTTRN>".repeat(300_000)}</STMTRS></OFX>`, /more than 20000 lines/],
    [
      "100,000 entries of MT940",
      `:20:A\n:25:1\n:60F:C260101ZAR0,\n${":61:x\n:61:2601010101C0,NTRF\n".repeat(50_000)}:62F:C260101ZAR0,\n`,
      /more than 20000 lines/,
    ],
    ["too many lines", `${fnb}${"2026/01/01,1,2,x\n".repeat(20_001)}`, /more than 20000 lines/],
  ])("%s", (_name, content, sentence) => {
    expect(() => parseStatements(Buffer.from(content as string))).toThrow(sentence)
  })
})

describe("MT940 variants of banks", () => {
  test("reads a preamble before each statement, as from ABN AMRO", () => {
    const statement = (number: number, opens: string, closes: string, amount: string) =>
      `ABNANL2A\r\n940\r\nABNANL2A\r\n:20:ABN AMRO BANK NV\r\n:25:517852257\r\n:28:${number}/1\r\n:60F:C260522EUR${opens}\r\n` +
      `:61:2605240524D${amount},N192NONREF\r\n:86:GIRO 428428 PREMIE INV-2026-000012\r\n:62F:C260524EUR${closes}\r\n-\r\n`
    const bytes = Buffer.from(statement(1, "100,", "91,", "9") + statement(2, "91,", "80,", "11"))
    expect(parseStatements(bytes)!.map(summarizeStatement)).toEqual([
      "517852257, 10000 > 9100, 1 lines -900",
      "517852257, 9100 > 8000, 1 lines -1100",
    ])
    expect(parseStatements(bytes)![0]!.lines[0]).toMatchObject({
      day: "2026-05-24",
      text: "GIRO 428428 PREMIE INV-2026-000012",
    })
  })

  test("reads spaces in :61: and details in :NS:, as from Sberbank", () => {
    const bytes = Buffer.from(
      ":20:STARTUMS\n:25:1966315302010001\n:28:00046\n:NS:22JOHN DOE\n23John Doe\n\n:60F:C171011HUF627311,30\n" +
        ":61:1710111011DF2402,00S   X\n:NS:01526715\n02A12596785    20170926000100\n09Fee: 7.21HUF\n15ERGO Versicherung AG Fiokte\n16lep\n" +
        ":61:1710111011DF3460,00S   X\n:NS:01136508\n15ERGO Eletbiztosito Zrt.\n:62F:C171011HUF621449,30\n:64:C171011HUF621449,30\n",
    )
    expect(parseStatements(bytes)).toMatchObject([
      {
        ...{ account: "1966315302010001", openingCents: 627_311_30, closingCents: 621_449_30, faults: [] },
        lines: [
          { amountCents: -2_402_00, text: "ERGO Versicherung AG Fiokte lep Fee: 7.21HUF", reference: "X" },
          { amountCents: -3_460_00, text: "ERGO Eletbiztosito Zrt." },
        ],
      },
    ])
  })

  test("dates a statement without entries on the day of its closing balance", () => {
    const bytes = Buffer.from(":20:A\n:25:1234567\n:28C:1/1\n:60F:C260101ZAR10,\n:62F:C260102ZAR10,\n-\n")
    expect(parseStatements(bytes)).toMatchObject([{ lines: [], period: { fromOn: "2026-01-02", toOn: "2026-01-02" } }])
  })
})

test("reads the sign of amounts in ING's CSV from Af and Bij", () => {
  const file = `"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"
"20260116";"Werkgever BV";"NL01INGB0001234567";"NL02ABNA0009876543";"OV";"Bij";"2500,00";"Overschrijving";"INV-2026-000012";"2974,50";""
"20260115";"Albert Heijn; Utrecht";"NL01INGB0001234567";"";"BA";"Af";"25,50";"Betaalautomaat";"";"474,50";""
`
  const written = file
    .split("\n")
    .slice(1, 3)
    .map((row) => row.slice(1, -1).split('";"'))
    .map((cells) => Math.round(Number(cells[6]!.replace(",", ".")) * 100) * (cells[5] === "Af" ? -1 : 1))
  const [statement] = parseStatements(Buffer.from(file))!
  expect(statement).toMatchObject({ account: "NL01INGB0001234567", currency: "EUR", faults: [] })
  expect(statement!.lines.map(({ amountCents }) => amountCents)).toEqual(written.reverse())
})

test("reads the same file in Windows-1252 and UTF-16", () => {
  const text = `${fnb}2026/01/01,-1.50,998.50,Café Müller\n`
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])
  for (const bytes of [Buffer.from(text, "latin1"), wide, Buffer.from(text)]) {
    expect(parseStatements(bytes)![0]).toMatchObject({
      account: "62000000000",
      lines: [{ text: "Café Müller" }],
      faults: [],
    })
  }
})

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateRawSync } from "node:zlib"
import { suggestMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import { refusesRow } from "@milkwood/domain/staff-lists/staff-list-problems"
import { checkRows, personRowsOf } from "@milkwood/domain/staff-lists/staff-list-rows"
import { describe, expect, test } from "vitest"
import { FileStore } from "../platform/files/files.ts"
import { PackedRow } from "./held-row.ts"
import { createFarXls, createForgedXls, createWideXlsx, createZip } from "./hostile-lists.samples.ts"
import { readStaffList } from "./read-staff-list.ts"
import { readListFile } from "./reading.ts"

const folder = join(import.meta.dirname, "fixtures")
const expectedAnswers = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8")) as Record<
  string,
  { group: string; rows: number; errors: Record<string, string> }
>
const tiers = ["Standard", "Silver", "Gold", "Platinum"].map((name) => ({ id: name.toLowerCase(), name }))

async function checkFile(file: string, group: string) {
  const list = await readStaffList(readFileSync(join(folder, file)), file.split(".").at(-1)!)
  const mapping = suggestMapping(list.headers)
  const { people, left } = personRowsOf(list.rows, list.headers, mapping)
  const policy = {
    number: "GP-2026-000001",
    description: null,
    groupName: group,
    status: "Active" as const,
    startOn: "2026-01-01",
    endOn: null,
    bySalary: false,
  }
  return { list, left, rows: [...checkRows(people, mapping, { today: "2026-11-21", policy, tiers }, "ZAR")] }
}

const fixtureCases = Object.entries(expectedAnswers).flatMap(([file, answer]) =>
  (file.startsWith("3-") ? [file, file.replace(".csv", ".xlsx"), file.replace(".csv", ".xls")] : [file]).map(
    (name) => [name, answer] as const,
  ),
)

describe("staff lists with known answers", () => {
  test.each(fixtureCases)("%s is refused only in its wrong rows", async (file, answer) => {
    const { rows } = await checkFile(file, answer.group)
    const refused = Object.fromEntries(
      rows
        .filter(({ status }) => status === "error")
        .map(({ row, problems }) => [
          row,
          problems
            .map(({ code }) => code)
            .filter(refusesRow)
            .join(" "),
        ]),
    )
    expect(rows).toHaveLength(answer.rows)
    expect(refused).toEqual(answer.errors)
  })
})

const readCsvText = (text: string) => readStaffList(Buffer.from(text), "csv")
const twoRows = [
  ["First Name", "Last Name", "ID Number"],
  ["Jaco", "Müller", "8506255853085"],
]

describe("reading CSV", () => {
  test.each([",", ";", "\t", "|"])("accepts the delimiter %j", async (delimiter) => {
    const list = await readCsvText(twoRows.map((cells) => cells.join(delimiter)).join("\r\n"))
    expect(list.headers).toEqual(twoRows[0])
    expect(list.rows[0]!.cells).toEqual(twoRows[1])
  })

  test.each([
    ["UTF-8", (text: string) => Buffer.from(text)],
    ["UTF-8 with a mark", (text: string) => Buffer.from(`\ufeff${text}`)],
    ["Windows-1252", (text: string) => Buffer.from(text, "latin1")],
    ["UTF-16 with a mark", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 without", (text: string) => Buffer.from(text, "utf16le")],
    ["UTF-16, the other way round", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ])("accepts %s", async (_, encode) => {
    const list = await readStaffList(encode(twoRows.map((cells) => cells.join(",")).join("\n")), "csv")
    expect(list.headers[0]).toBe("First Name")
    expect(list.rows[0]!.cells[1]).toBe("Müller")
  })

  test("accepts line breaks, quotes and delimiters inside cells, and Excel's sep line", async () => {
    const list = await readCsvText('sep=;\nFirst Name;Last Name;Address\n"Jaco ""J""";Nkosi;"1 Long St;\nCape Town"\n')
    expect(list.rows[0]!.cells).toEqual(['Jaco "J"', "Nkosi", "1 Long St;\nCape Town"])
  })

  test.each([
    ["a web page", "<!DOCTYPE html><table></table>", "web page"],
    ["binary", "a,b\u0000\u0001,c", "not a text file"],
    ["too many columns", `First Name,Last Name${",x".repeat(300)}\n`, "200 columns"],
  ])("refuses %s", async (_, text, sentence) => {
    await expect(readCsvText(text)).rejects.toThrow(sentence)
  })
})

describe("malicious workbooks", () => {
  const workbook = { name: "xl/workbook.xml", content: Buffer.from("<workbook/>") }
  const rels = (content: Buffer) => ({ name: "xl/_rels/workbook.xml.rels", content })
  const size = 200 * 1024 * 1024
  const bomb = deflateRawSync(Buffer.alloc(size), { level: 9 })
  const doctype = "<!DOCTYPE a [<!ENTITY x 'y'>]><a/>"
  test.each([
    ["with a DOCTYPE", [workbook, rels(Buffer.from(doctype))], "DOCTYPE"],
    ["with a DOCTYPE in UTF-16", [workbook, rels(Buffer.from(`\ufeff${doctype}`, "utf16le"))], "DOCTYPE"],
    [
      "that unpack to 200 MB",
      [workbook, { name: "xl/a.xml", content: bomb, method: 8, size }],
      "unpacks to more than 128 MB",
    ],
    ["that unpack to 200 MB and claim ten bytes", [workbook, { ...rels(bomb), method: 8, size: 10 }], "damaged"],
    ["with two parts with the same name", [workbook, workbook], "two parts with the same name"],
    ["without a workbook", [{ name: "word/document.xml", content: Buffer.from("<a/>") }], "not an Excel workbook"],
    [
      "packed in another way",
      [workbook, { name: "a.xml", content: Buffer.from("x"), method: 12 }],
      "unsupported compression format",
    ],
    ["with a part that ends in the middle", [workbook, rels(Buffer.from("<Relationships><Relationship"))], "damaged"],
    [
      "of too many parts",
      Array.from({ length: 1_001 }, (_, n) => ({ name: `${n}.xml`, content: Buffer.from("x") })),
      "more than 1000 parts",
    ],
  ])("%s", async (_, entries, sentence) => {
    await expect(readStaffList(createZip(entries), "xlsx")).rejects.toThrow(sentence)
  })

  test("are refused if the zip directory does not match the parts", async () => {
    const good = createZip([workbook, rels(Buffer.from("<a/>"))])
    const hidden = Buffer.concat([good.subarray(0, 30 + 15 + 11), Buffer.alloc(40, 65), good.subarray(30 + 15 + 11)])
    await expect(readStaffList(hidden, "xlsx")).rejects.toThrow("damaged")
  })

  test.each([
    "ZZZZZZ2",
    "ZZZZZ2",
    "FFFFFF2",
    "XFE2",
    "A1048577",
    "A99999999999",
  ])("are refused with a cell at %s, outside the sheet limits", async (address) => {
    await expect(readStaffList(createWideXlsx(address), "xlsx")).rejects.toThrow(
      "refers to cells that no sheet can have",
    )
  })

  test("a distant cell is refused beyond the limits and otherwise read without filling gaps", async () => {
    await expect(readStaffList(createWideXlsx("GS2"), "xlsx")).rejects.toThrow("Line 2 has more than 200 columns")
    await expect(readStaffList(createWideXlsx("A200000"), "xlsx")).rejects.toThrow("more than 150")
    await expect(readStaffList(createFarXls(), "xls")).rejects.toThrow("Line 65536 has more than 200 columns")
    expect((await readStaffList(createFarXls("B"), "xls")).rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, "Anna", "Nkosi"],
      [65536, "", "4711.5"],
    ])
  })

  test("an .xls that declares more cells or sheets than allowed is refused", async () => {
    await expect(readStaffList(createForgedXls({ rows: 4_000_000_000 }), "xls")).rejects.toThrow("refers to cells")
    await expect(readStaffList(createForgedXls({ columns: 60_000 }), "xls")).rejects.toThrow("refers to cells")
    expect((await readStaffList(createForgedXls({ rows: 65_536, columns: 256 }), "xls")).rows).toHaveLength(1)
    await expect(readStaffList(createForgedXls({ sheets: 251 }), "xls")).rejects.toThrow("more than 250 sheets")
  })

  test("are read in a separate process, which ends and reports the error", async () => {
    const folder = mkdtempSync(join(tmpdir(), "milkwood-reader-"))
    const path = join(folder, "list")
    const files = new FileStore(folder)
    writeFileSync(path, createZip([workbook, { name: "xl/a.xml", content: bomb, method: 8, size }]))
    await expect(readListFile(files, { path, extension: "xlsx" })).rejects.toThrow("unpacks to more than")
    await expect(readListFile(files, { path: join(folder, "none"), extension: "csv" })).rejects.toThrow("ENOENT")
    writeFileSync(path, `First name,Last name,ID number,Email,${"n".repeat(9_000)}\n${"x".repeat(1_000_000)},b,c,d,e\n`)
    const { head, rows } = await readListFile(files, { path, extension: "csv" })
    const { headers, sample } = head
    expect([headers[4]!.length, sample[0]![0]!.length]).toEqual([1_000, 1_000])
    const kept = PackedRow.parse(readFileSync(rows.path, "utf8"))
    expect(kept.map(({ line, cells }) => [line, ...cells.slice(1, 4)])).toEqual([
      [1, "Last name", "ID number", "Email"],
      [2, "b", "c", "d"],
      [3],
    ])
    // Only the readable list left a file.
    expect(readdirSync(join(folder, "incoming"))).toHaveLength(1)
    rmSync(folder, { recursive: true })
  })
})

/** Spreadsheets from public repositories, some made to break readers; not part of the product. */
const publicFiles = join(import.meta.dirname, "../../../../shared/fixtures/public/hr")

describe.skipIf(!existsSync(publicFiles))("public spreadsheets (skipped where they are absent)", () => {
  const files = existsSync(publicFiles) ? readdirSync(publicFiles).filter((name) => /\.(xlsx|xls|csv)$/.test(name)) : []

  test.each(files)("%s is read, or refused with a sentence", async (name) => {
    const outcome = await readStaffList(readFileSync(join(publicFiles, name)), name.split(".").at(-1)!).catch(
      (error: Error) => {
        expect(error.name).toBe("Unreadable")
        expect(error.message).toMatch(/\.$/)
        return undefined
      },
    )
    if (outcome) expect(outcome.headers.length).toBeGreaterThan(0)
  })

  test("supports both date epochs, and refuses hidden sheets and passwords", async () => {
    const read = (name: string) => readStaffList(readFileSync(join(publicFiles, name)), name.split(".").at(-1)!)
    for (const name of ["poi__1900DateWindowing.xls", "poi__1904DateWindowing.xls"]) {
      expect((await read(name)).headers).toEqual(["2000-01-01", "2000-01-01"])
    }
    await expect(read("poi__password.xls")).rejects.toThrow("password")
    await expect(read("poi__TwoSheetsOneHidden.xlsx")).rejects.toThrow("No list found")
    const contacts = await read("poi__51626_contact.xlsx")
    expect(contacts.rows.length).toBeGreaterThan(0)
  })
})

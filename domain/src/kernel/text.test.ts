import { describe, expect, test } from "vitest"
import { isEmail } from "./email.ts"
import { normalizeLine, normalizeLines } from "./text.ts"
import { line, text } from "./text-shape.ts"

describe("text", () => {
  test.each([
    ["  Jaco\u00a0 Müller ", "Jaco Müller"],
    ["Mu\u0308ller", "Müller"],
    ["Jan  Smit\n", "Jan Smit"],
    ["O'Reilly, J. (Jr)", "O'Reilly, J. (Jr)"],
    ["a\u0000b\tc\r\nd", "a b c d"],
    ["\ud800half", "half"],
    // With direction marks, as copied from Windows.
    ["\u202a+27 82 123 4567\u202c", "+27 82 123 4567"],
    ["invoice\u202egnp.exe", "invoicegnp.exe"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["\u200b \ufeff", ""],
  ])("%j becomes one line", (written, plain) => expect(normalizeLine(written)).toBe(plain))

  test.each([
    ["12 Kloof Street\r\nGardens\rCape Town\n", "12 Kloof Street\nGardens\nCape Town"],
    ["dose:\t2  a day", "dose:\t2  a day"],
    ["a\u0000b\u2066c", "a bc"],
  ])("%j keeps its line breaks", (written, plain) => expect(normalizeLines(written)).toBe(plain))

  test("length limits count the characters after cleaning", () => {
    expect(line(3).parse(" a\u200bbc ")).toBe("abc")
    expect(line(3).safeParse("abcd").error?.issues[0]?.message).toBe("At most 3 characters")
    expect(text(3).parse("a\nb\n")).toBe("a\nb")
  })

  test.each([
    ["anna@list.example", true],
    ["o'reilly+1@mail.list.co.za", true],
    ["josé@list.example", false],
    ["a@b.c", false],
    ["anna at list.example", false],
    ["anna@list", false],
    ["anna@@list.example", false],
    [".anna@list.example", false],
    ["an..na@list.example", false],
    [`${"a".repeat(250)}@list.example`, false],
    ["anna@list.example, ben@list.example", false],
  ])("%s is an e-mail address: %s", (text, is) => {
    expect(isEmail(text)).toBe(is)
  })
})

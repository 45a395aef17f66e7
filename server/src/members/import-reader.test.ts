import { readFileSync } from "node:fs"
import { join } from "node:path"
import { suggestMapping } from "@milkwood/domain/members/member-import-columns"
import { refusesRow } from "@milkwood/domain/members/member-import-problems"
import { checkRows, peopleRows } from "@milkwood/domain/members/member-import-rows"
import { describe, expect, test } from "vitest"
import { readStaffList } from "./import-reader.ts"

const folder = join(import.meta.dirname, "fixtures")
const answers = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8")) as Record<
  string,
  { group: string; rows: number; errors: Record<string, string> }
>
const tiers = ["Standard", "Silver", "Gold", "Platinum"].map((name) => ({ id: name.toLowerCase(), name }))

async function check(file: string, group: string) {
  const list = await readStaffList(readFileSync(join(folder, file)), file.split(".").at(-1)!)
  const mapping = suggestMapping(list.headers)
  const { people, left } = peopleRows(list.rows, list.headers, mapping)
  const policy = { number: "GP-2026-000001", description: null, groupName: group, startOn: "2026-01-01", endOn: null }
  return { list, left, rows: [...checkRows(people, mapping, { today: "2026-11-21", policy, tiers })] }
}

const files = Object.entries(answers).flatMap(([file, answer]) =>
  (file.startsWith("3-") ? [file, file.replace(".csv", ".xlsx"), file.replace(".csv", ".xls")] : [file]).map(
    (name) => [name, answer] as const,
  ),
)

describe("staff lists of the census", () => {
  test.each(files)("%s is refused exactly where it is wrong", async (file, answer) => {
    const { rows } = await check(file, answer.group)
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

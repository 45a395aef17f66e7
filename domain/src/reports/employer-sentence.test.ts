import { expect, test } from "vitest"
import { type EmployerStanding, employerSentence } from "./employer-sentence.ts"

const standing: EmployerStanding = {
  closedOn: null,
  policies: { active: 3, suspended: 0, draft: 1, ended: 0 },
  members: { active: 412 },
  ...{ owedCents: 0, overdueCents: 0, creditCents: null, staffLists: [] },
}

test.each<[Partial<EmployerStanding>, string]>([
  [{}, "3 policies, 412 active members, paid up"],
  [
    { policies: { active: 0, suspended: 1, draft: 0, ended: 0 }, members: { active: 1 } },
    "1 policy, 1 of them suspended, 1 active member, paid up",
  ],
  [{ owedCents: 500_00, overdueCents: 120_00 }, "3 policies, 412 active members, R 120,00 overdue"],
  [{ owedCents: 500_00, creditCents: 0 }, "3 policies, 412 active members, R 500,00 owed, none of it overdue"],
  [
    {
      staffLists: [
        { outstanding: { month: "2026-11-01", state: "late" } },
        { outstanding: { month: "2026-11-01", state: "late" } },
        { outstanding: { month: "2026-12-01", state: "expected" } },
        { outstanding: null },
      ],
    },
    "3 policies, 412 active members, paid up, list of Nov 2026 missing",
  ],
  [{ creditCents: 15_00 }, "3 policies, 412 active members, paid up, R 15,00 in credit"],
  [{ policies: { active: 0, suspended: 0, draft: 2, ended: 0 } }, "2 draft policies"],
  [{ policies: { active: 0, suspended: 0, draft: 0, ended: 0 } }, "No policy yet"],
  [{ policies: { active: 0, suspended: 0, draft: 0, ended: 4 } }, "No current policy, paid up"],
  [
    { closedOn: "2026-11-02", policies: { active: 0, suspended: 0, draft: 0, ended: 4 } },
    "Closed on 2026-11-02, paid up",
  ],
])("an employer with %o: %s", (changes, sentence) =>
  expect(employerSentence({ ...standing, ...changes }, "YYYY-MM-DD", "ZAR").replaceAll("\u00a0", " ")).toBe(sentence))

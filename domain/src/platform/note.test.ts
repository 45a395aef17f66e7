import fc from "fast-check"
import { expect, test } from "vitest"
import { completeFollowUp, hasOpenFollowUp, type NoteInput, noteActionsOf, noteProblems, strikeNote } from "./note.ts"

const today = "2026-11-02"
const now = Temporal.Instant.from("2026-11-02T08:00:00Z")
const note: NoteInput = {
  ...{ kind: "note", direction: null, person: "", contact: "", text: "Waits for the bill" },
  ...{ happenedOn: null, followUpOn: null },
}
const call: NoteInput = { ...note, kind: "call", direction: "out", person: "Lerato", contact: "021 555 0100" }

test.each([
  [note, {}],
  [call, {}],
  [{ ...call, kind: "mail", happenedOn: today, followUpOn: today } as const, {}],
  [{ ...note, text: " \n" }, { text: "Enter the text" }],
  [{ ...call, direction: null }, { direction: "Choose incoming or outgoing" }],
  [{ ...call, person: " " }, { person: "Enter the name of the person" }],
  [{ ...note, happenedOn: "2026-11-03" }, { happenedOn: "The day cannot be in the future" }],
  [{ ...note, followUpOn: "2026-11-01" }, { followUpOn: "The day cannot be in the past" }],
  [{ ...call, kind: "note" } as const, { kind: expect.stringContaining("Only a call") }],
])("note %# has the problems %j", (input, problems) => expect(noteProblems(input, today)).toEqual(problems))

const saved = { writtenBy: "ada", followUpOn: today, followedUpAt: null, struckAt: null }

test("only the author strikes a note out, once", () => {
  const struck = strikeNote(saved, "ada", now)
  expect(struck).toMatchObject({ struckAt: "2026-11-02T08:00:00Z" })
  expect(strikeNote(saved, "ben", now)).toMatchObject({ refused: "FORBIDDEN" })
  expect(strikeNote({ ...saved, struckAt: today }, "ada", now)).toMatchObject({ refused: "ALREADY_STRUCK" })
})

test("a follow-up ends when it is done or its note is struck out", () => {
  expect(completeFollowUp(saved, now)).toMatchObject({ followedUpAt: "2026-11-02T08:00:00Z" })
  for (const over of [{ followUpOn: null }, { followedUpAt: today }, { struckAt: today }])
    expect(completeFollowUp({ ...saved, ...over }, now)).toMatchObject({ refused: "NO_FOLLOW_UP" })
})

test("a note offers exactly the actions that are not refused", () => {
  const moment = fc.option(fc.constant("2026-11-01T08:00:00Z"))
  const state = fc.record({
    writtenBy: fc.constantFrom("ada", "ben"),
    followUpOn: fc.option(fc.constant(today)),
    followedUpAt: moment,
    struckAt: moment,
  })
  fc.assert(
    fc.property(state, (one) => {
      const offered = noteActionsOf(one, "ada")
      expect(offered.includes("strike")).toBe(!("refused" in strikeNote(one, "ada", now)))
      expect(offered.includes("completeFollowUp")).toBe(!("refused" in completeFollowUp(one, now)))
      expect(hasOpenFollowUp(one)).toBe(offered.includes("completeFollowUp"))
    }),
  )
})

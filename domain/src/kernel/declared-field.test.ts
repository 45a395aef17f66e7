import { describe, expect, test } from "vitest"
import { z } from "zod"
import {
  choicesOf,
  columnOf,
  type DeclaredField,
  declareField,
  displayValue,
  emptyDraft,
  isNullable,
  labelsOf,
  listColumnsOf,
  namesIn,
  reportFieldsOf,
  withoutUndefined,
} from "./declared-field.ts"
import { inputShapes, namedShapes, outputShapes } from "./declared-field-shape.ts"

/** A record invented for these tests. */
const boat = {
  hullName: declareField({
    kind: "line",
    label: "Hull name",
    section: "hull",
    most: 5,
    required: "Give the name of the hull",
    list: { sort: true },
    report: { groups: true },
  }),
  hullNumber: declareField({
    kind: "reference",
    label: "Hull number",
    section: "hull",
    hint: "On the stern",
    isOptionalInApi: true,
    report: {},
  }),
  rig: declareField({
    kind: "choice",
    label: "Rig",
    section: "sails",
    names: { sloop: "Bermuda sloop", yawl: "Yawl" },
    list: { hidden: true },
    report: { groups: true },
  }),
  launchedOn: declareField({ kind: "day", label: "Launched", section: "sails", report: {} }),
  ownerId: declareField({ kind: "identity", label: "Owner's ID", section: "sails" }),
}

const hull = z.object(inputShapes(boat, "hull"))
const sails = z.object(inputShapes(boat, "sails"))
const issueMessages = (shape: z.ZodType, value: unknown) =>
  shape.safeParse(value).error?.issues.map(({ message }) => message)

describe("declared field shapes", () => {
  test("input shapes parse form input and remove spaces from identity numbers", () => {
    expect(hull.parse({ hullName: " Anna ", hullNumber: "7" })).toEqual({ hullName: "Anna", hullNumber: "7" })
    expect(sails.parse({ rig: "yawl", launchedOn: "2026-02-28", ownerId: "85 06" })).toEqual({
      rig: "yawl",
      launchedOn: "2026-02-28",
      ownerId: "8506",
    })
    expect(sails.parse({ rig: null, launchedOn: null, ownerId: "" })).toEqual({
      rig: null,
      launchedOn: null,
      ownerId: null,
    })
  })

  test("input shapes reject a missing, too long or invalid value with the declared message", () => {
    expect(issueMessages(hull, { hullName: "" })).toEqual(["Give the name of the hull"])
    expect(issueMessages(hull, { hullName: "Annabelle" })).toEqual(["At most 5 characters"])
    expect(issueMessages(sails, { rig: "ketch", launchedOn: null, ownerId: null })).toHaveLength(1)
    expect(issueMessages(sails, { rig: null, launchedOn: "2026-02-29", ownerId: null })).toHaveLength(1)
  })

  test("input shapes require every key except fields with `isOptionalInApi`", () => {
    expect(hull.parse({ hullName: "Anna" })).toEqual({ hullName: "Anna" })
    expect(issueMessages(sails, { rig: null, launchedOn: null })).toHaveLength(1)
  })

  test("output shapes accept stored values and describe fields by label and hint", () => {
    const shown = z.object(outputShapes(boat, "hull"))
    expect(shown.parse({ hullName: "", hullNumber: "" })).toEqual({ hullName: "", hullNumber: "" })
    expect(issueMessages(shown, { hullName: "" })).toHaveLength(1)
    expect(Object.keys(namedShapes(boat, ["rig", "hullName"]))).toEqual(["rig", "hullName"])
    expect(z.toJSONSchema(shown)).toMatchObject({
      properties: { hullName: { description: "Hull name" }, hullNumber: { description: "Hull number. On the stern" } },
    })
  })
})

test("a required choice refuses null with its message", () => {
  const berth = declareField({
    kind: "choice",
    label: "Berth",
    section: "port",
    required: "Choose a berth",
    names: { a: "A" },
  })
  const port = z.object(inputShapes({ berth }, "port"))
  expect(port.parse({ berth: "a" })).toEqual({ berth: "a" })
  for (const wrong of [null, "b"]) expect(issueMessages(port, { berth: wrong })).toEqual(["Choose a berth"])
  expect(issueMessages(z.object(outputShapes({ berth }, "port")), { berth: null })).toHaveLength(1)
  expect(emptyDraft({ berth })).toEqual({ berth: null })
})

test("an empty draft has empty text fields, and null choices and days", () => {
  expect(emptyDraft(boat)).toEqual({ hullName: "", hullNumber: "", rig: null, launchedOn: null, ownerId: "" })
})

test("identity, day and choice fields are nullable; text fields are not", () => {
  expect(Object.values<DeclaredField>(boat).map(isNullable)).toEqual([false, false, true, true, true])
})

test("list columns are the fields that declare `list`, with their options", () => {
  expect(listColumnsOf(boat)).toEqual({
    hullName: { kind: "text", title: "Hull name", sort: true },
    rig: { kind: "words", title: "Rig", names: boat.rig.names, hidden: true },
  })
})

test("custom report fields are the fields that declare `report`", () => {
  expect(reportFieldsOf(boat)).toEqual({
    hullName: { kind: "text", title: "Hull name", groups: true },
    hullNumber: { kind: "reference", title: "Hull number" },
    rig: { kind: "words", title: "Rig", names: boat.rig.names, groups: true },
    launchedOn: { kind: "day", title: "Launched" },
  })
})

test("sections, labels, choices and column names follow the declaration", () => {
  expect(namesIn(boat, "sails")).toEqual(["rig", "launchedOn", "ownerId"])
  expect(labelsOf(boat).launchedOn).toBe("Launched")
  expect(choicesOf(boat.rig)).toEqual(["sloop", "yawl"])
  expect(columnOf("launchedOn")).toBe("launched_on")
  expect(displayValue(boat.rig, "sloop")).toBe("Bermuda sloop")
  expect(displayValue(boat.rig, null)).toBeNull()
  expect(displayValue(boat.hullName, "sloop")).toBe("sloop")
})

test("given() drops undefined values and keeps null", () => {
  expect(withoutUndefined({ a: undefined, b: null, c: "" })).toEqual({ b: null, c: "" })
  expect(withoutUndefined(undefined)).toEqual({})
})

import { expect, test } from "vitest"
import { brokenSchemaRules, ownersInFiles } from "./schema-rules.mjs"

const owners = new Map([
  ["policies", "policies"],
  ["members", "members"],
  ["member_counts", "members"],
  ["claims", "claims"],
])
const createTable = (name: string, more: object = {}) => ({
  name,
  columns: [],
  constraints: [],
  indexes: [],
  rowSecurity: "forced",
  policies: [],
  grants: [],
  ...more,
})
const createTrigger = (name: string, on: string, runs: string, more: object = {}) => ({
  name,
  table: on,
  timing: "after",
  level: "row",
  isDeferred: false,
  events: ["UPDATE"],
  columns: [],
  condition: null,
  function: runs,
  ...more,
})
const createFunction = (name: string, body: string, isTrigger = false) => ({
  kind: "function",
  name,
  isTrigger,
  definition: `CREATE OR REPLACE FUNCTION public.${name}() RETURNS x AS $function$ begin ${body}; end $function$`,
})
const noRules = { writers: {}, independent: {}, unindexed: {} }

function findViolations(
  schema: { tables?: object[]; triggers?: object[]; routines?: [object, string][]; calledByTables?: object[] },
  excused: object = {},
): string[] {
  const routines = (schema.routines ?? []).map(([routine]) => routine as ReturnType<typeof createFunction>)
  const homes = new Map(
    (schema.routines ?? []).map(([routine, room]) => [(routine as { name: string }).name, { room, isRule: true }]),
  )
  const catalogue = {
    tables: schema.tables ?? [],
    triggers: schema.triggers ?? [],
    routines,
    calledByTables: schema.calledByTables ?? [],
  }
  return brokenSchemaRules(catalogue, { owners, homes, excused: { ...noRules, ...excused } })
}

test("reports a table without a module", () => {
  expect(findViolations({ tables: [createTable("claims"), createTable("strays")] })).toEqual([
    "strays belongs to no room",
  ])
})

test.each([
  ["writes another room's table", "update members set version = 1", "writes members of members"],
  ["locks another room's row", "select 1 from members where id = new.member_id for share", "locks members of members"],
  ["locks another room's table", "lock table claims, members in share mode", "locks members of members"],
  [
    "writes another room's table by dynamic SQL",
    "execute format('update members set x = %s', 1)",
    "writes members of members",
  ],
  ["deletes another room's row", "delete from members where id = old.member_id", "writes members of members"],
])("reports a trigger that %s", (_what, body, wrong) => {
  expect(
    findViolations({
      triggers: [createTrigger("check_member", "claims", "check_member")],
      routines: [[createFunction("check_member", body, true), "claims"]],
    }),
  ).toEqual([`check_member, run by a trigger on claims, ${wrong}`])
})

test("reports a trigger whose called function writes another module's table", () => {
  expect(
    findViolations({
      triggers: [createTrigger("check_member", "claims", "check_member")],
      routines: [
        [createFunction("check_member", "perform move_member(new.id)", true), "claims"],
        [createFunction("move_member", "update members set version = 2"), "members"],
      ],
    }),
  ).toEqual(["move_member, run by a trigger on claims, writes members of members"])
})

test("allows a trigger to refuse, set columns, read earlier modules and update its module's totals", () => {
  expect(
    findViolations({
      triggers: [
        createTrigger("check_policy", "members", "check_policy"),
        createTrigger("set_status", "members", "set_status", { timing: "before" }),
        createTrigger("count_members", "members", "count_members"),
      ],
      routines: [
        [
          createFunction(
            "check_policy",
            "if exists (select from policies p) then raise exception 'update claims set x'; end if",
            true,
          ),
          "members",
        ],
        [createFunction("set_status", "new.status := 'Active'; return new", true), "members"],
        [
          createFunction("count_members", "update member_counts set active = active + 1 -- from claims", true),
          "members",
        ],
      ],
    }),
  ).toEqual([])
})

test.each([
  ["select count(*) from claims", "reads claims of claims"],
  ["select 1 from policies p, claims c where c.policy_id = p.id", "reads claims of claims"],
  ["select 1 from policies p left join claims on true", "reads claims of claims"],
])("reports a function that reads a later module: %s", (body, wrong) => {
  expect(findViolations({ routines: [[createFunction("total", body), "members"]] })).toEqual([
    `total of members ${wrong}, which is to its right`,
  ])
})

test("reports a view that reads a later module", () => {
  const view = {
    kind: "view",
    name: "open_claims",
    isTrigger: false,
    definition: "CREATE VIEW open_claims AS\n SELECT id FROM claims",
  }
  expect(findViolations({ routines: [[view, "members"]] })).toEqual([
    "open_claims of members reads claims of claims, which is to its right",
  ])
  expect(findViolations({ routines: [[view, "claims"]] })).toEqual([])
})

test("reports a function that calls a function of a later module", () => {
  expect(
    findViolations({
      routines: [
        [createFunction("total", "select claim_total()"), "members"],
        [createFunction("claim_total", "select 1"), "claims"],
      ],
    }),
  ).toEqual(["total of members calls claim_total of claims, which is to its right"])
})

test("reports a function that writes another module's tables without a listed exception", () => {
  const routines: [object, string][] = [[createFunction("forget", "delete from members"), "claims"]]
  expect(findViolations({ routines })).toEqual(["forget of claims writes members of members"])
  expect(findViolations({ routines }, { writers: { forget: "why" } })).toEqual([])
})

test("reports a table that needs a function of a rules file", () => {
  expect(
    findViolations({
      routines: [[createFunction("key_of", "return 1"), "members"]],
      calledByTables: [{ table: "members", function: "key_of" }],
    }),
  ).toEqual(["members needs key_of, which is in a rules file: create it in a migration"])
})

test.each([
  "claims_are_kept",
  "claims_z_pay",
  "check",
  "check_z_claims",
])("reports the trigger name %s, which is not a verb and an object", (name) => {
  expect(
    findViolations({
      triggers: [createTrigger(name, "claims", "check_claim")],
      routines: [[createFunction("check_claim", "return null", true), "claims"]],
    }),
  ).toEqual([`${name} on claims is not named <verb>_<object>`])
})

test("reports two triggers that set columns on one event, unless an exception lists them", () => {
  const before = { timing: "before", events: ["INSERT", "UPDATE"] }
  const schema = {
    triggers: [
      createTrigger("check_claim", "claims", "check_claim", before),
      createTrigger("set_cover", "claims", "set_cover", { ...before, events: ["UPDATE"] }),
    ],
    routines: [
      [createFunction("check_claim", "return new", true), "claims"],
      [createFunction("set_cover", "select 1 into new.cover_cents; return new", true), "claims"],
    ] as [object, string][],
  }
  expect(findViolations(schema)).toEqual([
    "UPDATE on claims: one of its triggers sets columns, so that their order may matter",
  ])
  expect(findViolations(schema, { independent: { "UPDATE on claims": "why" } })).toEqual([])
})

const key = {
  name: "k",
  kind: "foreign key",
  columns: ["member_id", "group_id"],
  definition: "",
  target: "members",
  onDelete: "restricts",
}
const createIndex = (columns: string[], predicate: string | null = null) => ({
  name: "i",
  columns,
  predicate,
  ofConstraint: false,
  definition: "",
})
const createTableWithKey = (indexes: object[], privileges = "select, delete", target = {}) => ({
  tables: [
    createTable("members", { grants: [{ role: "milkwood_staff", privileges }], ...target }),
    createTable("claims", { constraints: [key], indexes }),
  ],
})
const missing = ["claims (member_id, group_id) → members has no index"]

test.each([
  [[]],
  [[createIndex(["group_id", "policy_id"])]],
  [[createIndex(["policy_id", "member_id"])]],
  [[createIndex(["member_id"], "(status = 'open')")]],
])("reports a foreign key without a matching index: %j", (indexes) => {
  expect(findViolations(createTableWithKey(indexes))).toEqual(missing)
  expect(
    findViolations(createTableWithKey(indexes), { unindexed: { "claims (member_id, group_id) → members": "why" } }),
  ).toEqual([])
})

test.each([
  [[createIndex(["member_id", "status"])]],
  [[createIndex(["group_id", "member_id"])]],
  [[createIndex(["member_id"], "(member_id IS NOT NULL)")]],
])("accepts %j as the index of a foreign key", (indexes) => {
  expect(findViolations(createTableWithKey(indexes))).toEqual([])
})

test("requires no index for a foreign key to rows that cannot be deleted", () => {
  expect(findViolations(createTableWithKey([], "select, insert"))).toEqual([])
  expect(
    findViolations({
      ...createTableWithKey([], "select"),
      routines: [[createFunction("forget", "delete from members"), "members"]],
    }),
  ).toEqual(missing)
  const cascade = { ...key, columns: ["policy_id"], target: "policies", onDelete: "cascades" }
  const policies = createTable("policies", { grants: [{ role: "milkwood_staff", privileges: "delete" }] })
  const { tables } = createTableWithKey([], "select", { constraints: [cascade], indexes: [createIndex(["policy_id"])] })
  expect(findViolations({ tables: [...tables, policies] })).toEqual(missing)
})

test("reports an exception that is no longer needed", () => {
  expect(
    findViolations(
      {},
      {
        writers: { forget: "why" },
        independent: { "UPDATE on claims": "why" },
        unindexed: { "claims (member_id) → members": "why" },
      },
    ),
  ).toEqual([
    "No longer an exception: UPDATE on claims: one of its triggers sets columns, so that their order may matter",
    "No longer an exception: claims (member_id) → members has no index",
    "No longer an exception: forget writes tables of other rooms",
  ])
})

test("a table belongs to the module in its creating migration's name", () => {
  const file = (name: string) => ({ name, text: "create table one (\n  id uuid\n);\ncreate table two (id uuid);" })
  const declared = new Map([["one", "month-end"]])
  expect(ownersInFiles([file("0021_month-end.sql")], declared)).toEqual({
    owners: new Map([
      ["one", "month-end"],
      ["two", "month-end"],
    ]),
    wrong: [],
  })
  expect(ownersInFiles([file("0040_claims_more.sql")], declared).wrong).toEqual([
    "0040_claims_more.sql creates one, which month-end declares",
  ])
  expect(ownersInFiles([file("0040_more.sql")], declared).wrong).toEqual([
    "0040_more.sql creates one: the name of the file must begin with a room",
    "0040_more.sql creates two: the name of the file must begin with a room",
  ])
})

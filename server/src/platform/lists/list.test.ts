import { createHash } from "node:crypto"
import { count, list, text } from "@milkwood/domain/kernel/list"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { matchesPattern } from "../database/like.ts"
import { List } from "./list.ts"
import type { ListSource } from "./source.ts"

const numberList = list({
  key: "numbers",
  noun: { one: "number", many: "numbers" },
  permission: "members.read",
  order: "place",
  sorts: ["place", "gap"],
  search: "Search numbers",
  tabs: {
    by: "parity",
    views: { all: { label: "All", values: ["even", "odd"] }, odd: { label: "Odd", values: ["odd"] } },
  },
  columns: { place: count("Place"), parity: text("Parity") },
})
interface Row {
  id: string
  place: number
}

/** Every third `gap` is null. */
const createNumberList = (last: number, more: Partial<ListSource<typeof numberList, Row>> = {}, of = numberList) =>
  new List<typeof numberList, Row>(of, {
    select: () => sql`
      select md5(n::text)::uuid as id, n as place, case when n % 2 = 0 then 'even' else 'odd' end as parity,
        case when n % 3 > 0 then n / 7 end as gap, 'number ' || n as _text
      from generate_series(1, ${last}::int) n`,
    search: (pattern) => [{ like: matchesPattern(sql`s._text`, pattern) }],
    sortColumns: { gap: ["gap nulls last"] },
    present: ({ id, place }: Row) => ({ id, place }),
    ...more,
  })

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const answerList = (of: List<typeof numberList, Row>, input: object) =>
  app.transaction(app.people.manager, (cx) => of.answer(cx, { ...of.start, ...input }))
const placesOf = async (of: List<typeof numberList, Row>, input: object) =>
  (await answerList(of, input)).rows.map(({ place }) => place)
const numbersFrom = (first: number, many = 25) => Array.from({ length: many }, (_, index) => first + index)

test("prepares a list's default statement once per connection; other inputs are not prepared", async () => {
  const of = createNumberList(100)
  const planned = (input: object) =>
    app.transaction(app.people.manager, async (cx) => {
      const count = async () =>
        (await cx.tx.row<{ count: number }>(sql`select count(*) as count from pg_prepared_statements`))!.count
      const before = await count()
      await of.answer(cx, { ...of.start, ...input })
      return (await count()) - before
    })
  expect(await planned({ pageSize: 50 })).toBe(1)
  expect(await planned({ page: 2 })).toBe(0)
  expect(await planned({ search: "number 7" })).toBe(0)
  expect(await planned({ sort: "gap" })).toBe(0)
})

test.each([
  undefined,
  70,
])("a list opens its first tab, even if that excludes rows (count limit: %s)", async (countLimit) => {
  const views = { odd: { label: "Odd", values: ["odd"] }, all: { label: "All", values: ["even", "odd"] } }
  const of = createNumberList(5, countLimit ? { countLimit } : {}, {
    ...numberList,
    tabs: { by: "parity", views },
  } as never)
  const { rows, counts, total } = await app.transaction(app.people.manager, (cx) => of.answer(cx, of.start))
  expect([rows.length, total, counts]).toEqual([3, 3, { odd: 3, all: 5 }])
})

describe("pages", () => {
  const long = createNumberList(50_010)

  test("a page number works for the first and the last 400 pages", async () => {
    expect(await placesOf(long, { page: 400 })).toEqual(numbersFrom(399 * 25 + 1))
    expect(await placesOf(long, { page: 2001 })).toEqual(numbersFrom(50_001, 10))
    expect(await placesOf(long, { page: 2000 })).toEqual(numbersFrom(49_976))
    expect(await placesOf(long, { page: 1602 })).toEqual(numbersFrom(1601 * 25 + 1))
    expect((await answerList(long, { page: 2002 })).rows).toEqual([])
    await expect(answerList(long, { page: 1000 })).rejects.toMatchObject({
      refusal: {
        data: {
          fields: [
            {
              path: "page",
              message: expect.stringMatching(/^You can open only the first and the last 400 pages by number/),
            },
          ],
        },
      },
    })
  })

  test("`after` and `before` find the neighbouring page at any depth and in both orders", async () => {
    for (const dir of ["asc", "desc"]) {
      const place = (at: number) => (dir === "asc" ? at : 50_011 - at)
      const { ends } = await answerList(long, { page: 400, dir })
      const next = await answerList(long, { page: 401, after: ends!.last, dir })
      expect(next.rows.map((row) => row.place)).toEqual(numbersFrom(400 * 25 + 1).map(place))
      expect(await placesOf(long, { page: 400, before: next.ends!.first, dir })).toEqual(
        numbersFrom(399 * 25 + 1).map(place),
      )
    }
    const odd = await answerList(long, { page: 400, tab: "odd" })
    expect((await placesOf(long, { page: 401, tab: "odd", after: odd.ends!.last }))[0]).toBe(400 * 50 + 1)
  })

  test("paging by neighbours visits every row once, also with ties and nulls last", async () => {
    const few = createNumberList(130)
    for (const dir of ["asc", "desc"]) {
      const whole = [1, 2].flatMap(async (page) => placesOf(few, { sort: "gap", dir, pageSize: 100, page }))
      const expected = (await Promise.all(whole)).flat()
      const forward: number[] = []
      let after: string | undefined
      for (;;) {
        const { rows, ends } = await answerList(few, { sort: "gap", dir, after })
        forward.push(...rows.map(({ place }) => place))
        if (!ends) break
        after = ends.last
      }
      expect(forward).toEqual(expected)
      const back: number[] = []
      let before: string | undefined = (await answerList(few, { sort: "gap", dir, page: 6 })).ends!.last
      for (; before; ) {
        const { rows, ends }: { rows: Row[]; ends: { first: string } | null } = await answerList(few, {
          sort: "gap",
          dir,
          before,
        })
        back.unshift(...rows.map(({ place }) => place))
        before = ends?.first
      }
      expect(back).toEqual(expected.slice(0, -1))
    }
  })

  test("a search continues by neighbours beyond its 10,000 collected matches", async () => {
    const { ends, total, totalIsCapped, cappedTabs } = await answerList(long, { search: "number", page: 400 })
    expect({ total, totalIsCapped, cappedTabs }).toMatchObject({
      total: 10_000,
      totalIsCapped: true,
      cappedTabs: ["all", "odd"],
    })
    expect(await placesOf(long, { search: "number", page: 401, after: ends!.last })).toEqual(numbersFrom(10_001))
    await expect(answerList(long, { search: "number", page: 401 })).rejects.toMatchObject({
      refusal: { refused: "INVALID" },
    })
  })
})

describe("a search with more matches than are collected", () => {
  const long = createNumberList(50_010)
  const wholeOrder = Array.from({ length: 50_010 }, (_, index) => index + 1)
  const expected = (text: string, { sort = "place", dir = "asc", tab = "all" }) => {
    const gap = (place: number) => (place % 3 > 0 ? Math.trunc(place / 7) : Number.POSITIVE_INFINITY)
    const ids = new Map(wholeOrder.map((place) => [place, createHash("md5").update(String(place)).digest("hex")]))
    const way = dir === "asc" ? 1 : -1
    const compare = (one: number, other: number) => {
      if (sort === "place") return way * (one - other)
      const [a, b] = [gap(one), gap(other)]
      if (a !== b) return Number.isFinite(a) && Number.isFinite(b) ? way * (a - b) : a - b
      return way * (ids.get(one)! < ids.get(other)! ? -1 : 1)
    }
    return wholeOrder
      .filter((place) => `number ${place}`.includes(text) && (tab === "all" || place % 2 === 1))
      .sort(compare)
  }

  const cases = ["number 4", "r 1", "number"].flatMap((search) =>
    ["place", "gap"].flatMap((sort) => ["asc", "desc"].map((dir) => ({ search, sort, dir }))),
  )
  test.each(cases)("a search for $search shows the right pages by $sort $dir", async ({ search, sort, dir }) => {
    for (const [tab, page] of [
      ["all", 1],
      ["odd", 1],
      ["all", 40],
      ["all", 400],
    ] as const) {
      const answer = await answerList(long, { search, sort, dir, tab, page })
      expect(answer).toMatchObject({ totalIsCapped: true, figures: null, sums: null })
      const right = expected(search, { sort, dir, tab }).slice((page - 1) * 25, page * 25)
      expect(answer.rows.map(({ place }) => place)).toEqual(right)
    }
  })
})

test("a list without search ignores a search text", async () => {
  const { search: _, ...unsearched } = numberList
  const of = createNumberList(30, {}, unsearched as typeof numberList)
  expect(await answerList(of, { search: "number 7" })).toMatchObject({ total: 30 })
})

describe("counts", () => {
  test("a count is marked as capped when it stops at its limit", async () => {
    const answer = await answerList(createNumberList(150, { countLimit: 70 }), {})
    expect(answer).toMatchObject({ total: 140, totalIsCapped: true, counts: { all: 140, odd: 70 } })
    expect(answer.cappedTabs).toEqual(["all", "odd"])
  })

  test("a count that reaches the end below its limit is exact", async () => {
    const answer = await answerList(createNumberList(140, { countLimit: 70 }), {})
    expect(answer).toMatchObject({ total: 140, totalIsCapped: false, counts: { all: 140, odd: 70 }, cappedTabs: [] })
    const uneven = await answerList(createNumberList(141, { countLimit: 70 }), { tab: "odd" })
    expect(uneven).toMatchObject({ total: 70, totalIsCapped: true, cappedTabs: ["all", "odd"] })
  })
})

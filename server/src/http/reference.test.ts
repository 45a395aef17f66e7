import { pageSizes } from "@milkwood/domain/kernel/list"
import type { OpenAPI } from "@orpc/openapi"
import { beforeAll, describe, expect, it } from "vitest"
import { routes } from "../routes.ts"
import { describeApi } from "./reference.ts"

type DescribedOperation = OpenAPI.OperationObject
let document: OpenAPI.Document
const operation = (method: "get" | "post", path: string) =>
  document.paths?.[path]?.[method] as DescribedOperation | undefined
const operations = () =>
  Object.values(document.paths ?? {}).flatMap((path) => Object.values(path ?? {}) as DescribedOperation[])

beforeAll(async () => {
  document = await describeApi(routes)
})

describe("the OpenAPI document", () => {
  it("the API document describes every upload and download under /api, each at its own server", () => {
    const files = routes.filter(({ path }) => path.startsWith("/api/"))
    expect(files.length).toBeGreaterThan(50)
    for (const { method, path } of files) {
      const described = operation(method.toLowerCase() as "get", path.slice("/api".length).replace(/:(\w+)/g, "{$1}"))
      expect(described?.servers, `${method} ${path}`).toEqual([{ url: "/api" }])
    }
  })

  it("the API document states the media type of every download", () => {
    const types = (path: string) =>
      Object.keys((operation("get", path)!.responses!["200"] as OpenAPI.ResponseObject).content!)
    expect(types("/members.csv")).toEqual(["text/csv"])
    expect(types("/members.xlsx")).toEqual(["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"])
    expect(types("/invoices/{invoiceId}/pdf")).toEqual(["application/pdf"])
    expect(types("/month-end/{closingId}/checklist")).toEqual(["application/pdf"])
    expect(types("/payment-files/{ticket}")).toEqual(["application/octet-stream"])
  })

  it("the API document states which amount is approved by default", () => {
    const body = operation("post", "/claims/{claimId}/decide")!.requestBody as OpenAPI.RequestBodyObject
    const schema = body.content["application/json"]!.schema as OpenAPI.SchemaObject
    const amount = schema.properties!.approvedAmountCents as OpenAPI.SchemaObject
    expect(amount.description).toContain(
      "If you leave this out, the stage approves the amount that the previous stage approved",
    )
  })

  it("the API document lists an upload's form fields and a list export's parameters", () => {
    const body = operation("post", "/members/imports")!.requestBody as OpenAPI.RequestBodyObject
    const form = body.content["multipart/form-data"]!.schema as OpenAPI.SchemaObject
    expect(Object.keys(form.properties!)).toEqual(["policyId", "file"])
    expect(form.required).toEqual(["policyId", "file"])
    const query = operation("get", "/members.csv")!.parameters as OpenAPI.ParameterObject[]
    const names = query.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["search", "sort", "dir", "columns", "ids"]))
    expect(names).not.toContain("page")
  })

  it("the API document allows no additional properties in commands, at any depth", () => {
    const body = operation("post", "/invoices")!.requestBody as OpenAPI.RequestBodyObject
    const schema = body.content["application/json"]!.schema as OpenAPI.SchemaObject
    const invoice = schema.properties!.invoice as OpenAPI.SchemaObject
    const { items } = invoice.properties!.lines as { items: OpenAPI.SchemaObject }
    for (const object of [schema, invoice, items]) expect(object.additionalProperties).toBe(false)
    const upload = operation("post", "/members/imports")!.requestBody as OpenAPI.RequestBodyObject
    expect(upload.content["multipart/form-data"]!.schema).toMatchObject({ additionalProperties: false })
  })

  it("the API document writes every month as YYYY-MM", () => {
    const months: unknown[] = []
    const look = (value: unknown, name?: string): void => {
      if (typeof value !== "object" || value === null) return
      if (name !== undefined && /month$/i.test(name) && "type" in value && value.type === "string") months.push(value)
      const parameter = value as { name?: string; in?: string; schema?: unknown }
      if (parameter.in !== undefined) look(parameter.schema, parameter.name)
      else for (const [key, inner] of Object.entries(value)) look(inner, /^(anyOf|oneOf|\d+)$/.test(key) ? name : key)
    }
    look(document)
    expect(months.length).toBeGreaterThan(20)
    for (const schema of months) {
      const pattern = new RegExp((schema as { pattern?: string }).pattern ?? "^no pattern$")
      expect([pattern.test("2026-10"), pattern.test("2026-10-01")], JSON.stringify(schema)).toEqual([true, false])
    }
    expect(JSON.stringify(months)).not.toContain('"format":"date"')
  })

  it("the API document gives each operation a unique name", () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(ids).toEqual([...new Set(ids)])
  })

  it("the API document gives every list the same page sizes and directions", () => {
    const lists = operations().filter(({ parameters = [], servers }) => {
      const names = (parameters as OpenAPI.ParameterObject[]).map(({ name }) => name)
      return !servers && names.includes("pageSize")
    })
    expect(lists.length).toBeGreaterThan(15)
    const shapeOf = ({ parameters }: DescribedOperation, name: string) =>
      (parameters as OpenAPI.ParameterObject[]).find((one) => one.name === name)!.schema
    for (const list of lists) {
      expect(JSON.stringify(shapeOf(list, "pageSize")), list.operationId).toBe(
        JSON.stringify(shapeOf(lists[0]!, "pageSize")),
      )
      expect(shapeOf(list, "dir"), list.operationId).toMatchObject({ enum: ["asc", "desc"] })
    }
    for (const size of pageSizes) expect(JSON.stringify(shapeOf(lists[0]!, "pageSize"))).toContain(String(size))
  })
})

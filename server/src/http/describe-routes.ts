import { commonErrors } from "@milkwood/domain/kernel/procedure"
import type { OpenAPI } from "@orpc/openapi"
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4"
import type { HttpRoute } from "./file-route.ts"

const mediaTypes: [end: RegExp, type: string][] = [
  [/\.csv$/, "text/csv"],
  [/\.xlsx$/, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  [/(?:\.|\/)pdf$/, "application/pdf"],
]

const mediaTypeOf = ({ path, words }: HttpRoute): string =>
  words?.mediaType ?? mediaTypes.find(([end]) => end.test(path))?.[1] ?? "application/octet-stream"

/** Adds the uploads and downloads, each with its own server, because they are under `/api` and not `/api/v1`. */
export async function describeRoutes(document: OpenAPI.Document, routes: readonly HttpRoute[]): Promise<void> {
  document.paths ??= {}
  for (const route of routes) {
    if (!route.path.startsWith("/api/")) continue
    const path = route.path.slice("/api".length).replace(/:(\w+)/g, "{$1}")
    const method = route.method.toLowerCase() as "get" | "post"
    const described = document.paths[path] ?? {}
    if (described[method]) throw new Error(`${route.method} ${path} is described twice`)
    document.paths[path] = { ...described, [method]: await describeOperation(route) }
  }
}

async function describeOperation(route: HttpRoute): Promise<OpenAPI.OperationObject> {
  const isUpload = route.method === "POST"
  const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name!,
    in: "path" as const,
    required: true,
    schema: name === "month" ? { type: "string" as const, pattern: "^\\d{4}-\\d{2}$" } : uuid,
  })) as OpenAPI.ParameterObject[]
  return {
    operationId: `${isUpload ? "upload" : "download"}${route.path.slice("/api".length).replace(/\W+(\w?)/g, (_, first) => String(first).toUpperCase())}`,
    summary: route.summary,
    tags: ["Files"],
    servers: [{ url: "/api" }],
    parameters: [...named, ...(await describeQuery(route))],
    ...(isUpload && { requestBody: describeBody(route) }),
    responses: { "200": isUpload ? describeResponse(route) : fileResponseOf(route), default: refusal },
  }
}

const uuid: OpenAPI.SchemaObject = { type: "string", format: "uuid" }

async function describeQuery({ words }: HttpRoute): Promise<OpenAPI.ParameterObject[]> {
  if (!words?.query) return []
  const [, schema] = await new ZodToJsonSchemaConverter().convert(words.query, { strategy: "input" })
  const { properties = {} } = schema as { properties?: Record<string, OpenAPI.SchemaObject> }
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: "query",
    schema: shape,
  })) as OpenAPI.ParameterObject[]
}

function describeBody({ words }: HttpRoute): OpenAPI.RequestBodyObject {
  const { fields: required = {}, optionalFields = {} } = words ?? {}
  const fields = Object.entries({ ...required, ...optionalFields }).map(([name, description]) => [
    name,
    { type: "string", description } as OpenAPI.SchemaObject,
  ])
  const file: OpenAPI.SchemaObject = { type: "string", contentMediaType: "application/octet-stream" }
  const properties = {
    ...Object.fromEntries(fields),
    file: { ...file, description: "Send the file last, after the fields" },
  }
  return {
    required: true,
    content: {
      "multipart/form-data": {
        schema: {
          ...{ type: "object", properties, additionalProperties: false },
          required: [...Object.keys(required), "file"],
        },
      },
    },
  }
}

function describeResponse({ words }: HttpRoute): OpenAPI.ResponseObject {
  const ids = words?.answers
  const schema: OpenAPI.SchemaObject = ids
    ? { type: "object", properties: Object.fromEntries(ids.map((id) => [id, uuid])), required: [...ids] }
    : { type: "object", description: "The record, as its Read operation returns it" }
  return { description: "The file was accepted", content: { "application/json": { schema } } }
}

const fileResponseOf = (route: HttpRoute): OpenAPI.ResponseObject => ({
  description: "The file, as an attachment",
  content: { [mediaTypeOf(route)]: { schema: { type: "string", contentMediaType: mediaTypeOf(route) } } },
})

const refusal: OpenAPI.ResponseObject = {
  description: `Refused. The code is one of ${Object.keys(commonErrors).join(", ")}, or specific to this route`,
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { code: { type: "string" }, status: { type: "integer" }, message: { type: "string" }, data: {} },
        required: ["code", "status", "message"],
      },
    },
  },
}

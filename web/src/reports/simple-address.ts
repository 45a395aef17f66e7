import { stripSearchParams } from "@tanstack/react-router"

export type SimpleSearch = Record<string, string | number | boolean>

/** Which names mean something the report says when it is there; an address has words, figures and marks alone. */
const simple = (raw: Record<string, unknown>): SimpleSearch =>
  Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) => /^[a-zA-Z]{1,40}$/.test(name) && ["string", "number", "boolean"].includes(typeof value),
    ),
  ) as SimpleSearch

/** The address of a report that is not known before its page is there. */
export const simpleAddress = {
  validateSearch: simple,
  search: { middlewares: [stripSearchParams<SimpleSearch>({ page: 1, pageSize: 25, search: "" })] },
}

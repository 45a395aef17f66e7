import { z } from "zod"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"

const tags = ["Saved views"]

/** Maximum number of views per user and list. */
export const maxSavedViews = 50

const listName = z.string().regex(/^[a-z][a-z-]{0,59}$/)

export const savedView = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The list's URL parameters: search, filters, tab, order, page size. */
  address: z.record(z.string().max(60), z.union([z.string().max(200), z.number(), z.boolean()])),
  /** The visible columns by key; null for the list's default. */
  columns: z.array(z.string().max(60)).max(100).nullable(),
})
export type SavedView = z.infer<typeof savedView>

/** Saved views of lists; users see only their own. */
export const viewsContract = {
  /** The caller's views of a list, by name. */
  list: readProcedure("session")
    .route({ method: "GET", path: "/views", summary: "List my saved views", tags })
    .input(z.object({ list: listName }))
    .output(z.array(savedView)),

  /** Saves a view. Replaces one of the same name, ignoring case. */
  save: writeProcedure("session")
    .route({ method: "POST", path: "/views", summary: "Save a view", tags })
    .input(savedView.omit({ id: true }).extend({ list: listName, name: line(60).min(1, "Enter a name") }))
    .output(savedView)
    .errors({
      VIEW_LIMIT: { status: 409, message: `A list can have at most ${maxSavedViews} views. Delete one first.` },
    }),

  /** Deletes one of the caller's views. */
  remove: writeProcedure("session")
    .route({ method: "DELETE", path: "/views/{id}", summary: "Delete a saved view", tags })
    .input(z.object({ id: z.uuid() }))
    .output(z.object({})),
}

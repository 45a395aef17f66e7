/** How many rows a page of a list may hold. */
export const pageSizes = [25, 50, 100] as const

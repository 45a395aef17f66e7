export const receiptsRouter = {}

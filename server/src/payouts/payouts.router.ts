export const payoutsRouter = {}

export const ledgerRouter = {}

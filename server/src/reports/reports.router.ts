export const reportsRouter = {}

export const reportsContract = {}

export const claimsRouter = {}

export const claimsContract = {}

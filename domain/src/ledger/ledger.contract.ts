export const ledgerContract = {}

export const policiesContract = {}

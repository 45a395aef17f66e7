export const policiesRouter = {}

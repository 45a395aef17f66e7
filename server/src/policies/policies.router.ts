import { activatePolicy } from "./activate-policy.ts"
import { createPolicy } from "./create-policy.ts"
import { deleteDraft } from "./delete-draft.ts"
import { draftDefaults } from "./draft-defaults.ts"
import { datedTerms, pickPolicies, policyActivity, policyDetailQuery } from "./policies.queries.ts"
import { policyDocumentsRouter } from "./policy-documents.router.ts"
import { listPolicies } from "./policy-list.queries.ts"
import { ratesOfPolicy } from "./rates.queries.ts"
import { renewPolicy } from "./renew-policy.ts"
import { savePolicyDraft } from "./save-policy-draft.ts"
import { saveRates } from "./save-rates.ts"
import { reinstatePolicy, suspendPolicy } from "./suspend-policy.ts"
import { terminatePolicy } from "./terminate-policy.ts"
import { updatePolicySection } from "./update-policy-section.ts"

export const policiesRouter = {
  documents: policyDocumentsRouter,
  list: listPolicies,
  detail: policyDetailQuery,
  activity: policyActivity,
  pick: pickPolicies,
  create: createPolicy,
  draftDefaults,
  deleteDraft,
  saveDraft: savePolicyDraft,
  updateSection: updatePolicySection,
  datedTerms,
  rates: ratesOfPolicy,
  saveRates,
  activate: activatePolicy,
  suspend: suspendPolicy,
  reinstate: reinstatePolicy,
  renew: renewPolicy,
  terminate: terminatePolicy,
}

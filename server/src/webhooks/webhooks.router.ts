import {
  editWebhook,
  makeWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
} from "./manage-webhooks.ts"
import { resendMessage, sendTestMessage } from "./send-by-hand.ts"
import { listDeliveries, listWebhooks, readDelivery, readWebhook } from "./webhooks.queries.ts"

export const webhooksRouter = {
  list: listWebhooks,
  detail: readWebhook,
  make: makeWebhook,
  edit: editWebhook,
  pause: pauseWebhook,
  resume: resumeWebhook,
  rotate: rotateSecret,
  remove: removeWebhook,
  test: sendTestMessage,
  deliveries: { list: listDeliveries, detail: readDelivery, resend: resendMessage },
}

import { type Env, isDevelopment } from '../env.ts'
import { runtime } from '../runtime.ts'
import type { Mail } from './outbox.ts'

/** The carrier refuses this recipient for good, such as an address that bounced. Another attempt would harm the sender's reputation. */
export class RecipientRefused extends Error {
  constructor() {
    super('E_RECIPIENT_REFUSED')
  }
}

/** Delivers mails. Throws on failure: `RecipientRefused` if no other attempt may follow. */
export interface Carrier {
  /** Delivered mails stay in the outbox, where they can be read. */
  readonly keepsMail: boolean
  send(mail: Mail, id: string): Promise<void>
}

/** Cloudflare's binding, Resend, or the development mailbox. Null in production without any of them: mails wait. */
export function findCarrier(env: Env): Carrier | null {
  const from = env.MAIL_FROM ?? ''
  if (env.SEND_EMAIL && from !== '') return createCloudflareCarrier(env.SEND_EMAIL, from)
  if (env.RESEND_API_KEY && from !== '') return createResendCarrier(env.RESEND_API_KEY, from)
  return isDevelopment(env) ? developmentMailbox : null
}

const developmentMailbox: Carrier = { keepsMail: true, send: async () => {} }

/** Cloudflare Email Service: the binding's `send` takes the parts of a mail and builds the MIME message itself. */
function createCloudflareCarrier(binding: SendEmail, from: string): Carrier {
  return {
    keepsMail: false,
    send: async ({ to, subject, text, html, headers, replyTo }) => {
      await binding
        .send({
          from,
          to,
          subject,
          text,
          html,
          headers: { ...headers },
          ...(replyTo !== undefined && { replyTo }),
        })
        .catch((error: unknown) => {
          // https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes
          const isRefused = /\bE_RECIPIENT_SUPPRESSED\b/.test(
            `${Reflect.get(Object(error), 'code')} ${error}`,
          )
          throw isRefused ? new RecipientRefused() : error
        })
    },
  }
}

/** Resend's HTTP API (https://resend.com/docs/api-reference/emails/send-email). The key makes a repeated attempt harmless. */
function createResendCarrier(apiKey: string, from: string): Carrier {
  return {
    keepsMail: false,
    send: async (mail, id) => {
      const response = await runtime.fetch('https://api.resend.com/emails', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': id,
        },
        body: JSON.stringify({
          from,
          to: [mail.to],
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: mail.headers,
          reply_to: mail.replyTo,
        }),
        // Follows no redirect, so a mail only goes to the carrier's own host.
        redirect: 'manual',
        signal: runtime.timeout(15_000),
      })
      if (response.ok) return response.body?.cancel()
      throw (await isRecipientInvalid(response))
        ? new RecipientRefused()
        : new Error(`Resend answered ${response.status}`)
    },
  }
}

/** Whether Resend refuses the field `to` (https://resend.com/docs/api-reference/errors). Reads at most the first 4 KB. */
async function isRecipientInvalid(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 422) {
    await response.body?.cancel()
    return false
  }
  const reader = response.body?.getReader()
  const { value } = (await reader?.read().catch(() => undefined)) ?? {}
  await reader?.cancel().catch(() => undefined)
  const said = new TextDecoder().decode(value?.slice(0, 4096))
  return said.includes('validation_error') && /[`"' ]to[`"' ] field/i.test(said)
}

import { type Env, isDevelopment } from '../env.ts'
import { runtime } from '../runtime.ts'
import type { Mail } from './outbox.ts'

/** Delivers mails. Throws on failure. */
export interface Carrier {
  /** Delivered mails stay in the outbox, where they can be read. */
  readonly keepsMail: boolean
  send(mail: Mail, id: string): Promise<void>
}

/** Cloudflare's binding, Resend, or the development mailbox. Null in production without any of them: mails wait. */
export function carrierOf(env: Env): Carrier | null {
  const from = env.MAIL_FROM ?? ''
  if (env.SEND_EMAIL && from !== '') return cloudflareCarrier(env.SEND_EMAIL, from)
  if (env.RESEND_API_KEY && from !== '') return resendCarrier(env.RESEND_API_KEY, from)
  return isDevelopment(env) ? developmentMailbox : null
}

const developmentMailbox: Carrier = { keepsMail: true, send: async () => {} }

/** Cloudflare Email Service: the binding's `send` takes the parts of a mail and builds the MIME message itself. */
function cloudflareCarrier(binding: SendEmail, from: string): Carrier {
  return {
    keepsMail: false,
    send: async ({ to, subject, text, html, headers, replyTo }) => {
      await binding.send({
        from,
        to,
        subject,
        text,
        html,
        headers: { ...headers },
        ...(replyTo !== undefined && { replyTo }),
      })
    },
  }
}

/** Resend's HTTP API (https://resend.com/docs/api-reference/emails/send-email). The key makes a repeated attempt harmless. */
function resendCarrier(apiKey: string, from: string): Carrier {
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
      await response.body?.cancel()
      if (!response.ok) throw new Error(`Resend answered ${response.status}`)
    },
  }
}

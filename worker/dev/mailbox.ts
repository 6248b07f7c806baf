import { desc, eq } from 'drizzle-orm'
import type { Hono } from 'hono'
import { mailDateText } from '../../src/contract/dates.ts'
import { site } from '../../src/site.ts'
import { toIso } from '../http/paging.ts'
import { openDatabase } from '../lib/database.ts'
import type { Env } from '../lib/env.ts'
import { escapeHtml } from '../lib/mail/compose.ts'
import { decryptContent } from '../lib/mail/outbox.ts'
import { outbox } from '../lib/tables/platform.ts'
import type { AppEnv } from '../pipeline.ts'

const SHOWN = 100

/** The development mailbox: shows the outbox as JSON for programs and as a page for people. */
export function mountMailbox(app: Hono<AppEnv>): void {
  app.get('/api/v1/dev/mailbox', async (c) => c.json(await readMailsTo(c.env, c.req.query('to'))))
  app.get('/dev/mailbox', async (c) => {
    const to = c.req.query('to')
    return c.html(renderPage(await readMailsTo(c.env, to), to ?? ''), 200, {
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    })
  })
}

interface DeliveredMail {
  to: string
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
  sentAt: string
}

/** The newest mails to an address, or to all. */
export async function readMailsTo(env: Env, to: string | undefined): Promise<DeliveredMail[]> {
  const rows = await openDatabase(env.DB)
    .select()
    .from(outbox)
    .where(to ? eq(outbox.recipient, normalizeAddress(to)) : undefined)
    .orderBy(desc(outbox.seq))
    .limit(SHOWN)
  return Promise.all(
    rows.map(async (row) => ({
      to: row.recipient,
      subject: row.subject,
      // A mail whose key was removed from VAULT_KEYS is shown without its text.
      ...(await decryptContent(env, row).catch(() => ({ text: '', html: '', headers: {} }))),
      sentAt: toIso(row.createdAt),
    })),
  )
}

// An address has no spaces: a space here is a plus sign that the query decoded.
function normalizeAddress(to: string): string {
  return to.trim().replaceAll(' ', '+').toLowerCase()
}

function renderPage(mails: readonly DeliveredMail[], to: string): string {
  const articles = mails.map(
    (mail) => `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p>To ${escapeHtml(mail.to)}, <time datetime="${mail.sentAt}">${mailDateText(Date.parse(mail.sentAt))}</time></p>
${renderHeaders(mail.headers)}<pre>${renderLinks(mail.text)}</pre>
</article>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Development mailbox – ${site.brand}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/dev/mailbox.css">
</head>
<body>
<main>
<h1>Development mailbox</h1>
<p>Mails that this local server would have sent. Nothing leaves this machine.</p>
<form method="get"><label for="to">Mails to</label> <input id="to" name="to" type="email" value="${escapeHtml(to)}" autocomplete="off"> <button>Show</button></form>
${articles.length > 0 ? articles.join('\n') : '<p>No mail yet.</p>'}
</main>
</body>
</html>`
}

function renderHeaders(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.length === 0
    ? ''
    : `<details><summary>Further headers</summary>\n<pre>${escapeHtml(lines.join('\n'))}</pre>\n</details>\n`
}

// Escapes the text first, then makes links clickable.
function renderLinks(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
}

/** A separate file, because the page's policy allows no inline styles. */
export const MAILBOX_CSS = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem }
article { border-top: 1px solid; padding: .5rem 0 1rem }
h2 { font-size: 1.05rem; margin: .75rem 0 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
input, button { font: inherit; padding: .25rem .5rem }
`

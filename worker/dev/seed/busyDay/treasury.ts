import { DAY_MS } from '../../../../src/time.ts'
import type { Act } from './busyDay.ts'
import type { Desk } from './desk.ts'

/** The company's own money at its bank, a statement of it, and an invoice that waits for the second treasurer. */
export function listTreasuryActs(desk: Desk): Act[] {
  const book = (hoursAgo: number, form: Readonly<Record<string, string>>): Act => [
    hoursAgo,
    async (atMs) => {
      const { day, ...fields } = form
      const id = await proposeEntry(desk, atMs, {
        ...fields,
        ...(day !== undefined && { day: new Date(atMs - DAY_MS).toISOString().slice(0, 10) }),
      })
      await desk.call('operator', atMs + 60_000, 'POST', `/operator/proposals/${id}/approve`, { json: {} })
    },
  ]
  const bank = { to: 'usd:bank', toQuantity: '20000' }
  return [
    book(500, { action: 'funding', ...bank, reason: 'The company’s own money for fees and salaries.' }),
    book(40, { action: 'statement', ...bank, day: 'before', reason: 'The statement of the bank.' }),
    [
      5,
      (atMs) =>
        proposeEntry(desk, atMs, {
          ...{ action: 'fee', from: 'usd:bank', fromQuantity: '35' },
          reason: 'The monthly fee of the account, as the invoice says.',
        }),
    ],
  ]
}

async function proposeEntry(
  desk: Desk,
  atMs: number,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const image = new Blob([drawSamplePdf(fields.reason ?? '')], { type: 'application/pdf' })
  const form = { ...fields, image }
  const { _id } = await desk.call<{ _id: string }>('operator2', atMs, 'POST', '/operator/treasury/entries', {
    form,
  })
  return _id
}

/** A page with one line of text. */
function drawSamplePdf(text: string): string {
  const content = `BT /F1 11 Tf 60 760 Td (Sample document: ${text.replace(/[^ -~]|[()\\]/g, '')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return `${file}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
}

import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { site } from '../../src/site.ts'
import { call, send } from '../../test/support/http.ts'
import { txid } from '../../test/support/ledger/txid.ts'
import { addHistory } from '../../test/support/longHistory.ts'
import {
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../test/support/people.ts'
import { newPicture } from '../../test/support/picture.ts'

async function file(
  by: Person,
  path: string,
): Promise<{ response: Response; text: string; lines: string[] }> {
  const response = await send('GET', path, { token: by.token })
  const bytes = await response.bytes()
  // Decoded as a spreadsheet does: by the mark at the front.
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const text = new TextDecoder().decode(bytes)
  for (const moment of text.match(/\d{4}-\d\d-\d\d[^",;]*/g) ?? [])
    expect(moment).toMatch(/^[\d-]{10}T[\d:]{8}\.\d{3}Z$/)
  return { response, text, lines: text.split('\r\n').filter((line) => line !== '') }
}

test('a queue is saved as a file named for the day, with everything that the filter names', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Zoë "Zed" Zeugma' })
  const [first, second] = [await deposit(ana, '10.5', { txid: txid('paid') }), await deposit(ana, '20')]
  await as(operator, 'POST', `/operator/deposits/${second}/reject`, {
    reason: 'The payment has not arrived.',
  })
  const { response, text, lines } = await file(operator, '/operator/deposits?format=csv&query=zeugma&limit=1')
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.get('Content-Disposition')).toBe(
    `attachment; filename="${site.slug}-deposits-${new Date().toISOString().slice(0, 10)}.csv"`,
  )
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^\uFEFF?"Reference","Id","Filed \(UTC\)","Status","Investor","Name","E-mail",/)
  expect(text).toContain('"Zoë ""Zed"" Zeugma"')
  expect(text).toContain('"The payment has not arrived."')
  expect(lines[2]).toContain(`"${first}",`)
  expect(lines[2]).toContain(',10.50,10.50,,,')
  expect(lines[1]).toContain(`Z","Rejected","${ana.id}"`)
  expect(lines[2]).toContain(`Z","Pending","${ana.id}"`)
  expect(text).toMatch(/"Bitcoin"|"USDT"|"Ethereum"/)
  expect(text).toMatch(
    new RegExp(`"Rejected by ${operator.name} ([^"]+)","\\1","The payment has not arrived`),
  )
  expect(text).not.toContain('Filed by')
  expect(
    (await file(operator, '/operator/deposits?format=csv&query=zeugma&status=rejected')).lines,
  ).toHaveLength(2)
})

test('no cell of an export is a formula', async () => {
  const operator = await newOperator()
  const json = { email: 'evil@example.com', message: '@SUM(A1:A9)' }
  await call('POST', '/contact-us', { json: { ...json, name: '=HYPERLINK("https://evil.example","x")' } })
  await call('POST', '/contact-us', { json: { ...json, name: '+1-1', message: '-2+3' } })
  await call('POST', '/contact-us', {
    json: { ...json, name: "x;=cmd|' /C calc'!A0", message: '＝1|+1\n@x' },
  })
  const { text } = await file(operator, '/operator/messages?format=csv&query=evil@')
  expect(text).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")"`)
  expect(text).toContain(`"'@SUM(A1:A9)"`)
  expect(text).toContain(`"'+1-1","evil@example.com","'-2+3",`)
  expect(text).toContain(`"x;'=cmd|' /C calc'!A0","evil@example.com",`)
  expect(text).toContain(`'＝1|'+1\n'@x"`)
})

test('a file of withdrawals has no whole account number, and one of identities no document', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Bea Banked', availableCents: 100_00 })
  const id = await withdrawal(ana, '10', '/withdrawals/online-service')
  const { bank } = (
    await as<{ bank: { accountNumber: string } }>(operator, 'GET', `/operator/withdrawals/${id}`)
  ).body
  const { text } = await file(operator, '/operator/withdrawals?format=csv&query=banked')
  expect(bank.accountNumber.length).toBeGreaterThan(4)
  expect(text).not.toContain(bank.accountNumber)
  expect(text).toContain(bank.accountNumber.slice(-4))
  expect(text).toContain('"The destination is new')
  expect(text).not.toMatch(/Filed by|new_destination/)

  const ida = await newInvestor({ name: 'Ida Papers', kyc: 'none' })
  await call('POST', '/kyc', { token: ida.token, form: { document: 'Passport', image: newPicture() } })
  const identities = await file(operator, '/operator/kyc?format=csv&query=papers')
  expect(identities.lines).toHaveLength(2)
  expect(identities.text).not.toMatch(/kyc\/|age1|wrapped|Filed by/)
  expect(identities.lines[1]).toContain('Z","Pending","')
})

test('exported proposals name who proposed and decided', async () => {
  const operator = await newOperator({ name: 'Pia Proposer' })
  const ana = await newInvestor()
  const { body } = await propose(operator, {
    kind: 'bonus',
    investor: ana.id,
    amount: 12.5,
    reason: 'Thanks',
  })
  const { lines } = await file(operator, '/operator/proposals?format=csv&query=proposer')
  expect(lines[1]).toMatch(
    /,"Bonus","[^"]*","Pending",\d+,.*"Proposed by Pia Proposer [^"]+",,"Thanks",,"Ana Torres",,12\.50,$/,
  )
  await as(operator, 'POST', `/operator/proposals/${body._id}/reject`, { reason: 'Wrong amount' })
  const decided = await file(operator, '/operator/proposals?format=csv&query=proposer')
  expect(decided.lines[1]).toMatch(/; Rejected by Pia Proposer ([^"]+)","\1","Thanks","Wrong amount"/)
})

test('exported withdrawals say when they were approved and paid, and messages when they were answered', async () => {
  const [operator, second] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ name: 'Pam Paidout', availableCents: 100_00 })
  const id = await withdrawal(ana, '10')
  expect((await approveWithdrawal(operator, id)).status).toBe(200)
  expect((await completeWithdrawal(second, id)).status).toBe(200)
  const paid = await file(operator, '/operator/withdrawals?format=csv&query=paidout')
  const steps = `"Approved by ${operator.name} ([^"]+); Paid by ${second.name} ([^"]+)"`
  expect(paid.text).toMatch(new RegExp(`${steps},"\\1","\\2",`))

  const json = { name: 'Ana', email: 'answered@example.com', message: 'Hello' }
  await call('POST', '/contact-us', { json })
  const found = await as<{ _id: string }[]>(operator, 'GET', `/operator/messages?query=${json.email}`)
  const latest = found.body[0]?._id
  await as(operator, 'POST', `/operator/messages/${latest}/reply`, { text: 'Hello, Ana.', latest })
  const { lines } = await file(operator, `/operator/messages?format=csv&query=${json.email}`)
  expect(lines[1]).toMatch(new RegExp(`,"?1"?,"${operator.name}","[^"]+Z",,$`))
})

test('a long queue is written to its end, none twice', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Lou Longest', availableCents: 100 })
  await addHistory(env.DB, ana.id, 2_500)
  const { lines } = await file(operator, '/operator/withdrawals?format=csv&query=longest')
  expect(lines).toHaveLength(2_501)
  expect(new Set(lines).size).toBe(2_501)
})

test('each export is audited before it is sent, without the search text', async () => {
  const operator = await newOperator()
  await file(operator, '/operator/messages?format=csv&status=open&query=secretname')
  await as(operator, 'GET', '/operator/messages?query=secretname')
  const { results } = await env.DB.prepare('SELECT action, subject, detail FROM audit_log WHERE actor = ?')
    .bind(operator.id)
    .all()
  expect(results).toEqual([
    { action: 'messages.exported', subject: operator.id, detail: '{"status":"open","searched":true}' },
  ])
})

test('the selected rows are exported alone, and the audit line counts the ids', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Sela Selected' })
  const ids = [await deposit(ana, '10.5'), await deposit(ana, '20'), await deposit(ana, '30')]
  const whole = await file(operator, '/operator/deposits?format=csv&query=selected')
  const { lines } = await file(operator, `/operator/deposits?format=csv&ids=${ids[0]},${ids[2]},unknown`)
  expect(lines).toEqual(whole.lines.filter((_line, row) => row !== 2))
  const message = await call('POST', '/contact-us', {
    json: { name: 'Selma', email: 'selma@example.com', message: 'Hello' },
  })
  expect(message.status).toBe(201)
  const { body: threads } = await as<{ _id: string }[]>(operator, 'GET', '/operator/messages?query=selma@')
  expect((await file(operator, `/operator/messages?format=csv&ids=${threads[0]?._id}`)).lines).toHaveLength(2)
  for (const list of ['withdrawals', 'kyc', 'proposals'])
    expect((await file(operator, `/operator/${list}?format=csv&ids=${ids[0]}`)).lines).toHaveLength(1)
  const { results } = await env.DB.prepare(
    `SELECT detail FROM audit_log WHERE actor = ? AND action = 'deposits.exported' ORDER BY seq DESC LIMIT 1`,
  )
    .bind(operator.id)
    .all()
  expect(results).toEqual([{ detail: '{"status":"all","searched":false,"selected":3}' }])
})

test('more than 100 selected rows, or ids of another form, are refused', async () => {
  const operator = await newOperator()
  const ids = Array.from({ length: 101 }, () => crypto.randomUUID())
  const ask = (value: string) =>
    as(operator, 'GET', `/operator/deposits?format=csv&ids=${encodeURIComponent(value)}`)
  expect((await ask(ids.join(','))).status).toBe(422)
  expect((await ask("x' OR 1")).status).toBe(422)
  expect((await ask(ids.slice(1).join(','))).status).toBe(200)
})

test('a file has the points and the signs of risk of open cases', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Rika Risky' })
  const id = await deposit(ana, '10.5')
  await deposit(ana, '20')
  await as(operator, 'POST', `/operator/deposits/${id}/reject`, { reason: 'The payment has not arrived.' })
  const { lines } = await file(operator, '/operator/deposits?format=csv&query=risky')
  const [head, open, rejected] = lines.map((line) => line.split(','))
  const at = head?.indexOf('"Risk (points)"') ?? -1
  expect(head?.[at + 1]).toBe('"Signs of risk"')
  const { body } = await as<{ risk?: { score: number } }[]>(
    operator,
    'GET',
    '/operator/deposits?query=risky&status=pending',
  )
  expect(open?.[at]).toBe(String(body[0]?.risk?.score))
  expect(open?.[at + 1]).toMatch(/^"(?:[A-Z][^;"]+; )*The first deposit of the account/)
  expect(rejected?.slice(at, at + 2)).toEqual(['', ''])
})

test('an unknown format is refused', async () => {
  const operator = await newOperator()
  for (const list of ['deposits', 'withdrawals', 'kyc', 'messages', 'proposals'])
    expect((await as(operator, 'GET', `/operator/${list}?format=xls`)).status).toBe(422)
})

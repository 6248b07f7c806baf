import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KillableServer, killableServer } from './killableServer.ts'
import { totpCode } from './support/codes.ts'
import { txid } from './support/ledger/txid.ts'
import { newPicture } from './support/picture.ts'

// The server is killed in the middle of writes and started again. Clients that got no answer retry with the same idempotency
// key. No acknowledged write may be lost, and none may happen twice.

const PASSWORD = 'correct-horse-battery-staple'
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const WRITERS = 8
const BUSY_MS = 2_500

interface Write {
  readonly key: string
  readonly path: string
  readonly token: string
  readonly body: Readonly<Record<string, string>> | null
  /** Sends the body as a form with a picture. */
  readonly picture: Blob | null
}

interface Acknowledged extends Write {
  readonly status: number
  readonly answer: { readonly _id: string; readonly ref: string; readonly status?: string }
  readonly isReplay: boolean
}

let server: KillableServer
let investor = ''
let operator = ''
let wallet = ''
const acknowledged: Acknowledged[] = []
const unanswered: { readonly request: Write; readonly then: FollowUp }[] = []
let before = { requests: 0, available: 0 }

/** The follow-up of a write, which runs once the write is acknowledged. */
type FollowUp = (done: Acknowledged) => Promise<void>
const NO_FOLLOW_UP: FollowUp = async () => undefined

beforeAll(async () => {
  server = await killableServer()
  await server.start()
  investor = await signIn('investor@example.com')
  operator = await signIn('operator@example.com', totpCode(SECRET))
  const wallets = await get<{ type: string; address: string }[]>('/admin-wallets', investor)
  wallet = wallets.find(({ type }) => type === 'usdt')?.address ?? ''
  await confirmDestination()
  before = await figures()
}, 120_000)

afterAll(() => server.remove(), 30_000)

test('a killed server loses no acknowledged write and repeats none', async () => {
  await writeUntilKilled(() => server.killRuntimes())
  await recover()
  await writeUntilKilled(() => server.killAll())
  await recover()
  const sample = acknowledged.filter((_, i) => i % 7 === 0)
  for (const earlier of sample) {
    const again = await send(earlier)
    expect({ ...again, isReplay: true }).toEqual({
      ...again,
      answer: earlier.answer,
      status: earlier.status,
    })
  }
  const after = await figures()
  await server.killAll()
  assertConsistent(after)
}, 180_000)

/** Runs writers until the server is killed. */
async function writeUntilKilled(kill: () => Promise<void>): Promise<void> {
  let isKilled = false
  const acknowledgedBefore = acknowledged.length
  const writers = Array.from({ length: WRITERS }, async (_, i) => {
    while (!isKilled) await write(i % 2 === 0 ? deposit() : withdrawal(), i % 2 === 0 ? credit : reject)
  })
  await wait(BUSY_MS)
  await kill()
  isKilled = true
  await Promise.all(writers)
  expect(acknowledged.length).toBeGreaterThan(acknowledgedBefore + WRITERS)
  expect(unanswered.length).toBeGreaterThan(0)
}

/** Starts the server again and retries every unanswered write with its own idempotency key. */
async function recover(): Promise<void> {
  // A key stays locked for a minute after its run died. Making it a minute older unlocks it.
  const database = server.openDatabase()
  database.exec("UPDATE idempotency SET at = at - 61000 WHERE state = 'running'")
  database.close()
  await server.start()
  for (const { request, then } of unanswered.splice(0)) await write(request, then)
  expect(unanswered).toEqual([])
}

/** Sends a write and, once it is acknowledged, its follow-up. Keeps the write for a retry if the server is down. */
async function write(request: Write, then: FollowUp): Promise<void> {
  let done: Acknowledged
  try {
    done = await send(request)
  } catch (error) {
    // The server is down or restarting. Any other answer of the API is a failure of the test.
    if (error instanceof UnexpectedAnswer) throw error
    unanswered.push({ request, then })
    await wait(50)
    return
  }
  acknowledged.push(done)
  await then(done)
}

const credit: FollowUp = ({ answer }) =>
  write(
    post(`/operator/deposits/${answer._id}/approve`, operator, {
      riskReason: 'Called back, all is in order',
      reference: txid(answer._id),
      quantity: '1',
    }),
    NO_FOLLOW_UP,
  )
const reject: FollowUp = ({ answer }) =>
  write(post(`/operator/withdrawals/${answer._id}/reject`, operator, { reason: 'A test' }), NO_FOLLOW_UP)

function deposit(): Write {
  return {
    ...post('/deposits', investor, { type: 'usdt', amount: '1.00', paymentTo: wallet }),
    picture: newPicture(),
  }
}

function withdrawal(): Write {
  return post('/withdrawals', investor, DESTINATION)
}

const DESTINATION = {
  amount: '2.00',
  type: 'bitcoin',
  network: 'btc',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
}

function post(path: string, token: string, body: Write['body']): Write {
  return { key: randomUUID(), path, token, body, picture: null }
}

class UnexpectedAnswer extends Error {}

async function send(request: Write): Promise<Acknowledged> {
  const { key, path, token, body, picture } = request
  const headers = new Headers({ Authorization: `Bearer ${token}`, 'Idempotency-Key': key })
  const form = new FormData()
  if (picture !== null) {
    for (const [name, value] of Object.entries(body ?? {})) form.set(name, value)
    form.set('image', picture, 'receipt.png')
  } else headers.set('Content-Type', 'application/json')
  const response = await fetch(`${server.api}${path}`, {
    method: 'POST',
    headers,
    body: picture === null ? JSON.stringify(body) : form,
  })
  const text = await response.text()
  // While the runtime is down, the proxy in front of it answers with its own errors.
  if (response.headers.get('X-Request-Id') === null || response.status >= 500) throw new Error(text)
  if (!response.ok) throw new UnexpectedAnswer(`${path} answered ${response.status}: ${text}`)
  return {
    ...request,
    status: response.status,
    answer: JSON.parse(text) as Acknowledged['answer'],
    isReplay: response.headers.get('Idempotency-Replayed') === 'true',
  }
}

async function signIn(email: string, code?: string): Promise<string> {
  const response = await fetch(`${server.api}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD, ...(code !== undefined && { code }) }),
  })
  const { token } = (await response.json()) as { token: string }
  return token
}

async function get<T>(path: string, token: string): Promise<T> {
  const response = await fetch(`${server.api}${path}`, { headers: { Authorization: `Bearer ${token}` } })
  return (await response.json()) as T
}

/** Files a first withdrawal to the destination, which needs a mailed code. Later ones do not. */
async function confirmDestination(): Promise<void> {
  const refusal = await send(post('/withdrawals', investor, DESTINATION)).catch(
    (error: Error) => error.message,
  )
  expect(refusal).toContain('step_up_required')
  const mails = await get<{ text: string }[]>('/dev/mailbox?to=investor@example.com', investor)
  const code = /\b\d{6}\b/.exec(mails[0]?.text ?? '')?.[0] ?? ''
  await send(post('/withdrawals', investor, { ...DESTINATION, code }))
}

async function figures(): Promise<{ requests: number; available: number }> {
  let requests = 0
  let next: string | undefined = '/transaction-history?limit=100'
  while (next !== undefined) {
    const response: Response = await fetch(`${server.api}${next}`, {
      headers: { Authorization: `Bearer ${investor}` },
    })
    requests += ((await response.json()) as unknown[]).length
    next = /<\/api\/v1([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
  }
  const { available } = await get<{ available: number }>('/users/user-info?fields=available', investor)
  return { requests, available }
}

/** Checks that lists and ledger match the acknowledged writes exactly. In the end every write was acknowledged. */
function assertConsistent(after: { requests: number; available: number }): void {
  const filed = acknowledged.filter(({ path }) => path === '/deposits' || path === '/withdrawals')
  const credits = acknowledged.filter(({ path }) => path.endsWith('/approve'))
  const rejections = acknowledged.filter(({ path }) => path.endsWith('/reject'))
  expect(new Set(acknowledged.map(({ key }) => key)).size).toBe(acknowledged.length)
  expect(new Set(filed.map(({ answer }) => answer._id)).size).toBe(filed.length)
  expect(after.requests).toBe(before.requests + filed.length)
  expect(credits.length + rejections.length).toBe(filed.length)
  // Each credit added a dollar. Each withdrawal was rejected, which released its hold.
  expect(after.available).toBeCloseTo(before.available + credits.length, 2)

  const database = server.openDatabase()
  const all = (sql: string) => database.prepare(sql).all()
  const ids = new Set(all('SELECT id FROM requests').map(({ id }) => id))
  expect(filed.filter(({ answer }) => !ids.has(answer._id))).toEqual([])
  expect(
    all(`SELECT a.id FROM accounts a WHERE a.balance <>
      (SELECT coalesce(sum(amount), 0) FROM transfers WHERE to_account = a.id)
      - (SELECT coalesce(sum(amount), 0) FROM transfers WHERE from_account = a.id)`),
  ).toEqual([])
  expect(all('SELECT owner FROM accounts GROUP BY owner HAVING sum(balance) <> 0')).toEqual([])
  expect(
    all(`SELECT r.id FROM requests r WHERE r.queue = 'deposits' AND r.status = 'approved' AND 1 <>
      (SELECT count(*) FROM transfers WHERE ref = r.id AND code = 'credit' AND amount = r.amount)`),
  ).toEqual([])
  expect(
    all(`SELECT r.id FROM requests r WHERE r.queue = 'withdrawals' AND r.status = 'rejected' AND 2 <>
      (SELECT count(*) FROM transfers WHERE ref = r.id AND code IN ('hold', 'release') AND amount = r.amount)`),
  ).toEqual([])
  expect(
    all(`SELECT b.asset FROM custody_balances b WHERE b.balance <>
      (SELECT coalesce(sum(quantity), 0) FROM custody_entries WHERE asset = b.asset)`),
  ).toEqual([])
  database.close()
}

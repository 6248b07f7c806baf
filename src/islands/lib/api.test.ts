import { cleanTestStorage, useTestStorageEngine as keepInMemory } from '@nanostores/persistent'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { login, logout, type SessionAnswer } from '../../contract/identity/signIn.ts'
import { requestDeposit } from '../../contract/money/deposits.ts'
import { getTransaction, listTransactions } from '../../contract/money/transactions.ts'
import { walletPicture } from '../../contract/money/wallets.ts'
import { sendContactMessage } from '../../contract/outreach/contact.ts'
import { toast } from '../../design/toasts.ts'
import { ApiFailure } from './ApiFailure.ts'
import { call, callBlob, callPage } from './api.ts'
import { getSession, signIn } from './session.ts'

const session: SessionAnswer = {
  token: 'id.secret',
  name: 'Ana',
  email: 'ana@example.com',
  role: 'investor',
  expiresAt: '2999-01-01T00:00:00.000Z',
}
const credentials = { email: 'ana@example.com', password: 'correct horse' }

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const toasted = vi.spyOn(toast, 'error')
const replaced = vi.fn()

keepInMemory()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('document', { cookie: 'theme=dark; XSRF-TOKEN=abc-123' })
  vi.stubGlobal('location', {
    origin: 'https://evenkeel.example',
    pathname: '/dashboard/deposit',
    search: '?coin=usdt',
    hash: '',
    replace: replaced,
  })
})

afterEach(() => {
  cleanTestStorage()
  fetched.mockReset()
  toasted.mockReset()
  replaced.mockReset()
  vi.unstubAllGlobals()
})

test('a call sends JSON with the site’s token and answers the body', async () => {
  answers(200, session)
  expect(await call(login, { body: credentials })).toEqual(session)
  const { url, method, headers, body } = sent()
  expect([method, url]).toEqual(['POST', '/api/v1/auth/login'])
  expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'X-XSRF-TOKEN': 'abc-123' })
  expect(JSON.parse(String(body))).toEqual(credentials)
})

test('the first call of all, before the site’s cookie is there, carries no such header', async () => {
  vi.stubGlobal('document', { cookie: '' })
  answers(200, session)
  await call(login, { body: credentials })
  expect(sent().headers).not.toHaveProperty('X-XSRF-TOKEN')
})

test('the bearer goes with signed-in calls only', async () => {
  signIn(session)
  answers(204)
  await call(logout)
  answers(200, session)
  await call(login, { body: credentials })
  expect(sent(0).headers).toMatchObject({ Authorization: 'Bearer id.secret' })
  expect(sent(1).headers).not.toHaveProperty('Authorization')
})

test('an answer without a body is undefined', async () => {
  answers(204)
  expect(await call(logout)).toBeUndefined()
})

test('parameters and filters find their way into the address, blank ones are left out', async () => {
  answers(200, [])
  await call(listTransactions, { query: { kind: 'deposit', status: '', from: undefined } })
  answers(200, {})
  await call(getTransaction, { params: { id: 'a/b' } })
  expect(sent(0).url).toBe('/api/v1/transaction-history?kind=deposit')
  expect(sent(1).url).toBe('/api/v1/transaction-history/a%2Fb')
})

test('a path with a gap is a mistake of the program and never sent', async () => {
  await expect(call(getTransaction)).rejects.toThrow('/transaction-history/:id needs id')
  expect(fetched).not.toHaveBeenCalled()
})

test('a page says where the next one begins, the last page that there is none', async () => {
  answers(200, [{ _id: '1' }], {
    Link: '</api/v1/transaction-history?limit=1&cursor=abc-1>; rel="next"',
  })
  expect(await callPage(listTransactions)).toMatchObject({ rows: [{ _id: '1' }], nextCursor: 'abc-1' })
  answers(200, [])
  expect(await callPage(listTransactions)).toEqual({ rows: [], nextCursor: null })
})

test('a picture comes as it is', async () => {
  fetched.mockResolvedValueOnce(new Response('<svg/>', { headers: { 'Content-Type': 'image/svg+xml' } }))
  const blob = await callBlob(walletPicture, { params: { id: 'w1' } })
  expect([await blob.text(), blob.type]).toEqual(['<svg/>', 'image/svg+xml'])
})

test('a refusal is thrown with all it says, and toasted once', async () => {
  const body = {
    msg: 'Please confirm this withdrawal with a code.',
    code: 'step_up_required',
    methods: ['email'],
    reasons: ['new_device'],
  }
  answers(403, body)
  await expect(call(login, { body: credentials })).rejects.toMatchObject({ status: 403, ...body })
  expect(toasted.mock.calls).toEqual([[body.msg]])
})

test('a quiet call says nothing, nor does a read, whose screen says it', async () => {
  const refusal = { msg: 'Too many tries.', code: 'too_many_requests' }
  answers(429, refusal)
  await expect(call(login, { body: credentials, quiet: true })).rejects.toThrow('Too many tries.')
  answers(429, refusal)
  await expect(call(listTransactions)).rejects.toThrow('Too many tries.')
  expect(toasted).not.toHaveBeenCalled()
})

test('a caller may decide by the failure whether it is said', async () => {
  const quiet = (failure: ApiFailure) => failure.code === 'two_factor_required'
  answers(401, { msg: 'Enter the code.', code: 'two_factor_required' })
  await expect(call(login, { body: credentials, quiet })).rejects.toThrow()
  answers(401, { msg: 'Wrong.', code: 'invalid_credentials' })
  await expect(call(login, { body: credentials, quiet })).rejects.toThrow()
  expect(toasted.mock.calls).toEqual([['Wrong.']])
})

test('a lost connection is a failure with status 0 and words a person understands', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const failure = await call(sendContactMessage).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject({ status: 0, code: 'network_failure' })
  expect(toasted.mock.calls[0]?.[0]).toMatch(/check your connection/)
})

test('a proxy’s page instead of an answer is a failure, whatever its status', async () => {
  fetched.mockResolvedValueOnce(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  await expect(call(sendContactMessage)).rejects.toMatchObject({ status: 502, code: 'unreadable_answer' })
  fetched.mockResolvedValueOnce(new Response('<h1>Hello</h1>', { status: 200 }))
  await expect(call(sendContactMessage)).rejects.toMatchObject({ code: 'unreadable_answer' })
})

test('a message without a code is shown', async () => {
  answers(503, { msg: 'Back at nine.' })
  await expect(call(sendContactMessage)).rejects.toMatchObject({ status: 503, msg: 'Back at nine.' })
  expect(toasted.mock.calls).toEqual([['Back at nine.']])
})

test('a session that the server no longer knows is forgotten, and the way back kept', async () => {
  signIn(session)
  answers(401, { msg: 'Please sign in to continue.', code: 'unauthorized' })
  await expect(call(logout)).rejects.toMatchObject({ status: 401 })
  expect(getSession()).toBeNull()
  expect(replaced.mock.calls).toEqual([['/sign-in?next=%2Fdashboard%2Fdeposit%3Fcoin%3Dusdt&why=ended']])
  expect(toasted).not.toHaveBeenCalled()
})

test('a session begun in another tab meanwhile survives the refusal of the one before', async () => {
  signIn(session)
  fetched.mockImplementationOnce(async () => {
    signIn({ ...session, token: 'id2.secret2' })
    return new Response(JSON.stringify({ msg: 'Please sign in.', code: 'unauthorized' }), { status: 401 })
  })
  await expect(call(logout)).rejects.toMatchObject({ status: 401 })
  expect(getSession()?.token).toBe('id2.secret2')
  expect(replaced).not.toHaveBeenCalled()
})

test('wrong credentials are no reason to leave the page', async () => {
  answers(401, { msg: 'The e-mail address or the password is wrong.', code: 'invalid_credentials' })
  await expect(call(login, { body: credentials })).rejects.toMatchObject({ code: 'invalid_credentials' })
  expect(replaced).not.toHaveBeenCalled()
})

test('a picture travels in a form, with its progress and its key', async () => {
  signIn(session)
  const upload = stubUpload(201, { msg: 'Received', ref: 'DEP-1', _id: '1' })
  const shares: number[] = []
  const answer = await call(requestDeposit, {
    body: { type: 'usdt', amount: '12.50', paymentTo: 'T1', txid: '' },
    files: { image: new File(['receipt'], 'receipt.png', { type: 'image/png' }) },
    idempotencyKey: 'key-1',
    onProgress: (share) => shares.push(share),
  })
  expect(answer).toEqual({ msg: 'Received', ref: 'DEP-1', _id: '1' })
  expect(shares).toEqual([0.25, 1])
  expect(upload.headers).toMatchObject({ Authorization: 'Bearer id.secret', 'Idempotency-Key': 'key-1' })
  // The browser sets it, because it chooses the boundary.
  expect(upload.headers).not.toHaveProperty('Content-Type')
  const form = upload.body as FormData
  expect([...form.keys()]).toEqual(['type', 'amount', 'paymentTo', 'image'])
  expect(form.get('image')).toMatchObject({ name: 'receipt.png' })
})

test('an upload that is refused or cut off fails like any other call', async () => {
  stubUpload(413, { msg: 'That is too large.', code: 'payload_too_large' })
  const upload = () => call(requestDeposit, { files: { image: new File([], 'a.png') }, onProgress: () => {} })
  await expect(upload()).rejects.toMatchObject({ status: 413, code: 'payload_too_large' })
  stubUpload(0, null)
  await expect(upload()).rejects.toMatchObject({ status: 0, code: 'network_failure' })
})

function answers(status: number, body?: unknown, headers: Record<string, string> = {}) {
  fetched.mockResolvedValueOnce(
    new Response(body === undefined ? null : JSON.stringify(body), { status, headers }),
  )
}

function sent(index = 0) {
  const [url, init] = fetched.mock.calls[index] ?? []
  return { url, ...init }
}

/** Status 0: the connection broke. */
function stubUpload(status: number, answer: unknown) {
  const upload = { headers: {} as Record<string, string>, body: null as unknown }
  class Upload {
    status = status
    responseText = JSON.stringify(answer)
    upload: { onprogress?: (event: object) => void } = {}
    onload = () => {}
    onerror = () => {}
    open() {}
    setRequestHeader(name: string, value: string) {
      upload.headers[name] = value
    }
    getResponseHeader() {
      return 'application/json'
    }
    send(body: unknown) {
      upload.body = body
      this.upload.onprogress?.({ lengthComputable: true, loaded: 5, total: 20 })
      this.upload.onprogress?.({ lengthComputable: false, loaded: 6, total: 0 })
      this.upload.onprogress?.({ lengthComputable: true, loaded: 20, total: 20 })
      queueMicrotask(status === 0 ? this.onerror : this.onload)
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  return upload
}

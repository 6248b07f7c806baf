import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import type { OperatorKyc } from '../../../src/contract/console/kyc.ts'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { BANK_WITHDRAWAL, fileDeposit, withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { approveIdentity, as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { SAMPLE_SDN } from '../../dev/seed/sampleSdn.ts'
import { openDatabase } from '../../lib/database.ts'
import { screenCases } from './run.ts'

const KEY = 'screening/SDN.XML'
const LISTED_ADDRESS = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'

let operator: Operator
beforeAll(async () => {
  // These withdrawals are smaller than the network's minimum.
  await setSetting('minimums', { btc: 0 })
  operator = await newOperator()
})

const putList = (text = SAMPLE_SDN) => env.FILES.put(KEY, text)
const screen = (key = KEY) => screenCases({ ...env, SCREENING_LIST: key }, openDatabase(env.DB), Date.now())

async function submit(person: Person): Promise<OperatorKyc> {
  await call('POST', '/kyc', { token: person.token, form: { document: 'Passport', image: newPicture() } })
  return findIdentity(person)
}

async function findIdentity({ email }: Person): Promise<OperatorKyc> {
  const { body } = await as<OperatorKyc[]>(
    operator,
    'GET',
    `/operator/kyc?query=${encodeURIComponent(email)}`,
  )
  if (body[0] === undefined) throw new Error('No document')
  return body[0]
}

async function readAudit(subject: string) {
  const { results } = await env.DB.prepare(
    "SELECT actor, action, detail FROM audit_log WHERE subject = ? AND action GLOB 'screening.*' ORDER BY seq",
  )
    .bind(subject)
    .all<{ actor: string; action: string; detail: string }>()
  return results
}

test('without a provider nothing is screened, and a list that is missing or empty fails', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  await submit(ana)
  await screen('')
  expect((await findIdentity(ana)).screening).toBeNull()
  await expect(screen('screening/missing.xml')).rejects.toThrow('E_SCREENING_LIST')
  await putList('<sdnList></sdnList>')
  await expect(screen()).rejects.toThrow('E_SCREENING_LIST')
  expect((await findIdentity(ana)).screening).toBeNull()
})

test('a listed name and a name that is not listed are facts of the case and lines of the audit log, once for each list', async () => {
  await putList()
  const [vasko, ana] = [
    await newInvestor({ kyc: 'none', name: 'Vasko Samplerov' }),
    await newInvestor({ kyc: 'none', name: 'Ana Torres' }),
  ]
  await submit(vasko)
  await submit(ana)
  await screen()
  await screen()
  const hit = await findIdentity(vasko)
  expect(hit.screening).toEqual({
    at: expect.stringMatching(/Z$/),
    list: 'OFAC SDN',
    listDate: '2026-11-20',
    listHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    address: null,
    hits: 1,
    hit: { _id: expect.any(String), cleared: null },
    matches: [
      { uid: '90001', name: 'Vasko Emil SAMPLEROV', programs: 'SAMPLE-1, SAMPLE-2', born: '01 Apr 1961' },
    ],
  })
  const clear = await findIdentity(ana)
  expect(clear.screening).toMatchObject({ hits: 0, matches: [] })
  expect(await readAudit(hit._id)).toMatchObject([{ actor: 'system', action: 'screening.hit' }])
  const [line, ...others] = await readAudit(clear._id)
  expect(others).toEqual([])
  expect(line?.action).toBe('screening.clear')
  expect(JSON.parse(line?.detail ?? '')).toEqual({
    list: 'OFAC SDN',
    listDate: '2026-11-20',
    listHash: clear.screening?.listHash,
    hits: 0,
  })

  await putList(SAMPLE_SDN.replace('</sdnList>', '<!-- new --></sdnList>'))
  await screen()
  expect(await readAudit(clear._id)).toHaveLength(2)
})

test('the name on a document is compared once the reviewer has read it', async () => {
  await putList()
  const ana = await newInvestor({ kyc: 'none', name: 'Ana Torres' })
  const { _id } = await submit(ana)
  await screen()
  expect((await findIdentity(ana)).screening).toMatchObject({ hits: 0 })
  expect((await approveIdentity(operator, _id, { documentName: 'Vasko Emil Samplerov' })).status).toBe(200)
  await screen()
  await screen()
  expect((await findIdentity(ana)).screening).toMatchObject({ hits: 1, matches: [{ uid: '90001' }] })
  expect((await readAudit(_id)).map(({ action }) => action)).toEqual(['screening.clear', 'screening.hit'])
})

test('a withdrawal is screened by its address and by the holder of its account, and a deposit by its names', async () => {
  await putList()
  const ana = await newInvestor({ availableCents: 500_00 })
  const toListed = await withdraw(ana, { address: LISTED_ADDRESS.toUpperCase() })
  const toBank = await withdraw(
    ana,
    { ...BANK_WITHDRAWAL, accountHolderName: 'Maria Sample' },
    '/withdrawals/online-service',
  )
  const toOther = await withdraw(ana)
  const deposit = await fileDeposit(ana)
  await screen()
  const load = async (id: string) =>
    (await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${id}`)).body.screening
  expect(await load(toListed.body._id)).toMatchObject({
    hits: 1,
    matches: [{ uid: '90001', name: LISTED_ADDRESS }],
  })
  expect(await load(toBank.body._id)).toMatchObject({
    hits: 1,
    address: null,
    matches: [{ uid: '90003' }],
  })
  expect(await load(toOther.body._id)).toMatchObject({
    hits: 0,
    address: expect.stringMatching(/^bc1/),
  })
  const { body } = await as<OperatorDeposit>(operator, 'GET', `/operator/deposits/${deposit.body._id}`)
  expect(body.screening).toMatchObject({ hits: 0, address: null })
})

test('customers without an open case are compared with each new list, some per run, and only hits are written', async () => {
  const db = openDatabase(env.DB)
  await putList(SAMPLE_SDN.replace('Vasko Emil', 'Nobody').replace('</sdnList>', '<!-- pass --></sdnList>'))
  const [vasko, ana] = [
    await newInvestor({ name: 'Vasko Samplerov' }),
    await newInvestor({ name: 'Ana Torres' }),
  ]
  await screen()
  await screen()
  const passes = async () =>
    (
      await env.DB.prepare('SELECT * FROM screening_passes ORDER BY begun_at DESC').all<{
        finished_at: number | null
        compared: number
      }>()
    ).results
  const [pass] = await passes()
  expect(pass?.finished_at).toEqual(expect.any(Number))
  const hits = async (person: Person) =>
    (
      await env.DB.prepare('SELECT id, cleared_at FROM sanctions_hits WHERE investor = ? ORDER BY seq')
        .bind(person.id)
        .all<{ id: string; cleared_at: number | null }>()
    ).results
  expect(await hits(vasko)).toEqual([])

  const compliance = await newOperator({ roles: ['compliance'] })
  const clear = async (id: string | undefined) =>
    as(compliance, 'POST', `/operator/sanctions/${id}/clear`, { reason: 'Another year of birth', entries: 1 })
  await putList()
  await screen()
  await screen()
  const [first, ...further] = await hits(vasko)
  expect(first).toMatchObject({ cleared_at: null })
  expect(further).toEqual([])
  expect(await hits(ana)).toEqual([])
  expect((await clear(first?.id)).status).toBe(200)

  // The same entry in another list does not open it again. A changed one does.
  await putList(SAMPLE_SDN.replace('</sdnList>', '<!-- same --></sdnList>'))
  await screen()
  await screen()
  expect(await hits(vasko)).toHaveLength(1)
  await putList(SAMPLE_SDN.replace('01 Apr 1961', '02 Apr 1991'))
  await screen()
  await screen()
  expect(await hits(vasko)).toMatchObject([{ id: first?.id }, { cleared_at: null }])
  await screenCases({ ...env, SCREENING_LIST: KEY }, db, Date.now())
  const written = await env.DB.prepare(
    "SELECT count(*) AS n FROM audit_log WHERE action = 'screening.finished'",
  ).first<{ n: number }>()
  expect(written?.n).toBe((await passes()).filter(({ finished_at }) => finished_at !== null).length)
})

test('the person’s own file has neither results nor their lines of the audit log', async () => {
  await putList()
  const maria = await newInvestor({ kyc: 'none', name: 'Maria Sample' })
  await submit(maria)
  await screen()
  expect((await findIdentity(maria)).screening).toMatchObject({ hits: 1 })
  const file = await call('GET', '/users/data', { token: maria.token })
  expect(file.status).toBe(200)
  expect(JSON.stringify(file.body)).not.toMatch(/screening|OFAC/)
})

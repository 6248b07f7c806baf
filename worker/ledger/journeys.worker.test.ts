import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLong, randomRuns } from '../../test/random.ts'
import { endDestinationDelay } from '../../test/support/factors.ts'
import { BANK_WITHDRAWAL, depositForm, mailedCode } from '../../test/support/filing.ts'
import { Model, type ModelBonus, type ModelRequest } from '../../test/support/ledger/model.ts'
import { txid } from '../../test/support/ledger/txid.ts'
import { booksOf } from '../../test/support/money.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../test/support/people.ts'
import { NO_CEILINGS, setSetting } from '../../test/support/settings.ts'
import { post, type Reply, send } from '../../test/support/unlimited.ts'
import { newWallet } from '../../test/support/wallets.ts'

// The same model against the API: the answers of the verbs, and user-info after every step.

const RUNS = 16
const MOST_STEPS = 90
const SEED = 20_260_213

const KINDS = {
  deposit: 5,
  approveDeposit: 8,
  rejectDeposit: 1,
  cancelDeposit: 1,
  withdraw: 5,
  approveWithdrawal: 4,
  complete: 5,
  rejectWithdrawal: 2,
  cancelWithdrawal: 1,
  proposeBonus: 1,
  approveBonus: 2,
  reverse: 3,
} as const
type Kind = keyof typeof KINDS

interface Step {
  readonly kind: Kind
  readonly operator: number
  readonly other: number
  readonly thing: number
  readonly amount: number
  readonly odd: number
}

const steps = fc.array(
  fc.record({
    kind: fc.oneof(
      ...Object.entries(KINDS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as Kind) })),
    ),
    operator: fc.nat(1),
    other: fc.nat(1),
    thing: fc.nat(1_000),
    amount: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 90_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 400_000, max: 900_000 }) },
    ),
    odd: fc.nat(6),
  }),
  { minLength: 1, maxLength: MOST_STEPS, size: 'max' },
)

interface Scene {
  readonly model: Model
  readonly ana: Person
  readonly operators: readonly [Operator, Operator]
  readonly wallet: string
  /** The number of used references. */
  references: number
}

let operations = 0
let refusals = 0

test('every figure of user-info matches the model after every step over HTTP', async () => {
  const operators = [await newOperator(), await newOperator()] as const
  const { address: wallet } = await newWallet({ network: 'usdt-trc20' })
  await setSetting('dailyCeilings', NO_CEILINGS)
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const ana = await newInvestor()
      const model = new Model({ custody: await custodyNow(), transfers: 0 })
      model.open(ana.id)
      const scene: Scene = { model, ana, operators, wallet, references: 0 }
      await knowDestination(scene)
      for (const step of sequence) {
        await MOVES[step.kind](scene, step)
        await assertAgrees(scene)
      }
      expect(await custodyNow()).toEqual(model.custody)
    }),
    { ...randomRuns(RUNS, SEED), ...(!isLong && { interruptAfterTimeLimit: 100_000 }) },
  )
  expect(operations).toBeGreaterThan(600)
  expect(refusals).toBeGreaterThan(100)
}, 400_000)

type Move = (scene: Scene, step: Step) => Promise<void>

const MOVES: Record<Kind, Move> = {
  async deposit({ model, ana, wallet }, { amount }) {
    const form = await depositForm({ type: 'usdt', amount: formatPlain(amount), paymentTo: wallet })
    const reply = await post('/deposits', ana, form, true)
    const filed = { investor: ana.id, queue: 'deposits', asset: 'usdt', askedCents: amount } as const
    expectCode(reply, model.file({ id: reply.body._id ?? '', ...filed }))
  },
  async approveDeposit(scene, step) {
    const request = find(scene, step, 'deposits', ['pending'])
    if (request === null) return
    const { model, operators } = scene
    const operator = pick(operators, step.operator)
    const { first } = request
    const agrees = first !== null && step.odd > 0
    const amountCents = agrees ? first.amountCents : step.odd > 2 ? request.askedCents : step.amount
    const reference = agrees ? first.reference : txid(`${request.id}-${scene.references++}`)
    const units = BigInt(amountCents) * 10_000n
    const reply = await post(`/operator/deposits/${request.id}/approve`, operator, {
      riskReason: 'Called back, all is in order',
      amount: formatPlain(amountCents),
      reference,
      quantity: formatUnits(units),
    })
    // Alone if allowed, otherwise the first of two approvals.
    let expected = model.credit(request, operator.id, amountCents, reference, units)
    if (expected === 'second_operator_required' && first === null) {
      expected = model.approveFirst(request, {
        operator: operator.id,
        amountCents,
        reference,
        units,
        atMs: 0,
      })
      expect(reply.status).toBe(202)
    }
    expectCode(reply, expected)
  },
  async rejectDeposit(scene, step) {
    const request = find(scene, step, 'deposits', ['pending'])
    if (request === null) return
    const operator = pick(scene.operators, step.operator)
    const reply = await post(`/operator/deposits/${request.id}/reject`, operator, { reason: 'A test' })
    expectCode(reply, scene.model.reject(request))
  },
  async cancelDeposit(scene, step) {
    const request = find(scene, step, 'deposits', ['pending'])
    if (request === null) return
    const reply = await post(`/deposits/${request.id}/cancel`, scene.ana, {})
    expectCode(reply, cancelled(scene.model.cancel(request, scene.ana.id)))
  },
  async withdraw(scene, { odd, amount }) {
    const { model, ana } = scene
    const available = model.available(ana.id)
    const askedCents = odd === 0 || available === 0 ? amount : Math.max(1, Math.ceil((available * odd) / 6))
    const reply = await withdraw(ana, askedCents)
    const filed = { investor: ana.id, queue: 'withdrawals', asset: 'usd', askedCents } as const
    expectCode(reply, model.file({ id: reply.body._id ?? '', ...filed }))
  },
  async approveWithdrawal(scene, step) {
    const request = find(scene, step, 'withdrawals', ['pending'])
    if (request === null) return
    const operator = pick(scene.operators, step.operator)
    const reply = await post(`/operator/withdrawals/${request.id}/approve`, operator, {
      riskReason: 'Called back, all is in order',
    })
    expectCode(reply, scene.model.approve(request, operator.id, null))
  },
  async complete(scene, step) {
    const request = find(scene, step, 'withdrawals', ['approved'])
    if (request === null) return
    const operator = pick(scene.operators, step.operator)
    const reference = txid(`${request.id}-${scene.references++}`)
    const reply = await post(`/operator/withdrawals/${request.id}/complete`, operator, {
      riskReason: 'Called back, all is in order',
      reference,
    })
    expectCode(reply, scene.model.complete(request, operator.id, reference, BigInt(request.amountCents)))
  },
  async rejectWithdrawal(scene, step) {
    const request = find(scene, step, 'withdrawals', ['pending', 'approved'])
    if (request === null) return
    const operator = pick(scene.operators, step.operator)
    const reply = await post(`/operator/withdrawals/${request.id}/reject`, operator, { reason: 'A test' })
    expectCode(reply, scene.model.reject(request))
  },
  async cancelWithdrawal(scene, step) {
    const request = find(scene, step, 'withdrawals', ['pending'])
    if (request === null) return
    const reply = await post(`/withdrawals/${request.id}/cancel`, scene.ana, {})
    expectCode(reply, cancelled(scene.model.cancel(request, scene.ana.id)))
  },
  async proposeBonus({ model, ana, operators }, { operator, amount }) {
    const by = pick(operators, operator)
    const body = { kind: 'bonus', investor: ana.id, amount: formatPlain(amount), reason: 'A test' }
    const reply = await post('/operator/proposals', by, body)
    const bonus: ModelBonus = {
      id: reply.body._id ?? '',
      investor: ana.id,
      amountCents: amount,
      proposedBy: by.id,
      isDecided: false,
    }
    expectCode(reply, model.proposeBonus(bonus))
  },
  async approveBonus({ model, operators }, { operator, thing }) {
    if (model.bonuses.length === 0) return
    const bonus = pick(model.bonuses, thing)
    const by = pick(operators, operator)
    const reply = await post(`/operator/proposals/${bonus.id}/approve`, by, {
      riskReason: 'Called back, all is in order',
    })
    expectCode(reply, model.approveBonus(bonus, by.id))
  },
  async reverse(scene, step) {
    const { model, operators } = scene
    const reversible = model.requests.filter(
      ({ queue, status }) => status === (queue === 'deposits' ? 'approved' : 'completed'),
    )
    if (reversible.length === 0) return
    const request = pick(reversible, step.thing)
    const [proposer, decider] = [pick(operators, step.operator), pick(operators, step.other)]
    const body = { kind: 'reversal', request: request.id, reason: 'A test' }
    const proposed = await post('/operator/proposals', proposer, body)
    if (proposed.status === 409) {
      // One is already pending: its proposer could not approve it alone.
      expect(waiting.has(request.id)).toBe(true)
      return
    }
    expectCode(proposed, null)
    const reply = await post(`/operator/proposals/${proposed.body._id}/approve`, decider, {})
    const expected = model.reverse(request, proposer.id, decider.id)
    if (expected !== null) waiting.add(request.id)
    expectCode(reply, expected)
  },
}

const waiting = new Set<string>()

function expectCode({ status, body }: Reply, expected: string | null): void {
  operations += 1
  if (expected !== null) refusals += 1
  expect({ code: body.code ?? null, isDone: status < 300, msg: body.msg }).toEqual({
    code: expected,
    isDone: expected === null,
    msg: body.msg,
  })
}

/** The investor's own words for what was decided already. */
function cancelled(expected: string | null): string | null {
  return expected === 'already_decided' ? 'not_pending' : expected
}

async function assertAgrees({ model, ana }: Scene): Promise<void> {
  const { status, body } = await send('GET', '/users/user-info', ana)
  expect(status).toBe(200)
  const { available, owed, deposits, withdrawals, bonus, pendingDeposits, pendingWithdrawals, totalBalance } =
    model.figures(ana.id)
  const inUsd = {
    available,
    owed,
    deposits,
    withdrawals,
    bonus,
    profits: 0,
    pendingDeposits,
    pendingWithdrawals,
    totalBalance,
  }
  expect(body).toMatchObject(
    Object.fromEntries(Object.entries(inUsd).map(([key, cents]) => [key, cents / 100])),
  )
  expect(await booksOf(ana.id)).toEqual(model.figures(ana.id))
}

/** Requests a bank withdrawal, with the mailed code for a large share. */
async function withdraw(ana: Person, amountCents: number): Promise<Reply> {
  const body = { ...BANK_WITHDRAWAL, amount: formatPlain(amountCents) }
  const reply = await post('/withdrawals/online-service', ana, body)
  if (reply.body.code !== 'step_up_required') return reply
  return post('/withdrawals/online-service', ana, { ...body, code: await mailedCode(ana.email) })
}

/** Makes the bank account known for longer than the delay. */
async function knowDestination({ model, ana, operators, wallet, references }: Scene): Promise<void> {
  const scene: Scene = { model, ana, operators, wallet, references }
  const step: Step = { kind: 'deposit', operator: 0, other: 1, thing: 0, amount: 100_000, odd: 6 }
  await MOVES.deposit(scene, step)
  await MOVES.approveDeposit(scene, step)
  await MOVES.withdraw(scene, { ...step, odd: 1 })
  await MOVES.cancelWithdrawal(scene, step)
  await endDestinationDelay(ana, 172_800_000)
}

async function custodyNow() {
  const { results } = await env.DB.prepare(
    'SELECT asset, CAST(balance AS TEXT) AS balance FROM custody_balances',
  ).all<{ asset: string; balance: string }>()
  const units = Object.fromEntries(results.map(({ asset, balance }) => [asset, BigInt(balance)]))
  return units as Model['custody']
}

function find(
  { model }: Scene,
  step: Step,
  queue: ModelRequest['queue'],
  wanted: readonly ModelRequest['status'][],
): ModelRequest | null {
  const all = model.requests.filter((each) => each.queue === queue)
  const right = all.filter((each) => wanted.includes(each.status))
  const choice = step.odd > 0 && right.length > 0 ? right : all
  return choice.length === 0 ? null : pick(choice, step.thing)
}

function pick<T>(from: readonly T[], index: number): T {
  const found = from[index % from.length]
  if (found === undefined) throw new Error('Nothing to pick from')
  return found
}

function formatPlain(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** Units of USDT as a decimal. */
function formatUnits(units: bigint): string {
  const digits = units.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

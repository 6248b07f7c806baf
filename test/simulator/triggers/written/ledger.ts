import { account, event, movement, order, proposal, transfer } from './rows.ts'
import { NOW, type Written } from './situation.ts'

/** The transfer that is written: 100 cents that come in. */
const CREDIT = transfer('d:credit', 'credit', 'd', {
  seq: 5,
  from_account: 'ines:paid_in',
  to_account: 'ines:available',
  actor: 'olga',
})[1]

const REPAY = transfer('o:repay', 'repay', 'o', { seq: 9, to_account: 'ines:owed' })[1]
const BONUS = transfer('p:bonus', 'bonus', 'p', {
  seq: 9,
  from_account: 'ines:granted',
  to_account: 'ines:available',
})[1]
const NO_CAUSE = 'ledger: a transfer needs the record of what caused it'

/** Cases about transfers and the orders and movements that cause them. */
export const LEDGER: readonly Written[] = [
  {
    trigger: 'transfers_posted',
    given: {
      before: transfer('before', 'credit', 'b', { seq: 4 }),
      paidIn: account('ines:paid_in', -500),
      available: account('ines:available', 0),
      invested: account('ines:invested:s', 900),
      owed: account('ines:owed', -300),
    },
    write: { insert: CREDIT },
    cases: {
      'money that comes in repays a debt': [
        {},
        {
          accounts: [
            { id: 'ines:available', balance: 0, last_transfer: 6 },
            { id: 'ines:invested:s', balance: 900, last_transfer: 0 },
            { id: 'ines:owed', balance: -200, last_transfer: 6 },
            { id: 'ines:paid_in', balance: -600, last_transfer: 5 },
          ],
          transfers: [
            { seq: 4 },
            { seq: 5, amount: 100 },
            {
              seq: 6,
              id: 'd:repay',
              from_account: 'ines:available',
              to_account: 'ines:owed',
              amount: 100,
              ref: 'd',
              actor: 'olga',
            },
          ],
        },
      ],
      'what is more than the debt stays': [
        { owed: { balance: -40 } },
        {
          accounts: [{ balance: 60 }, { balance: 900 }, { id: 'ines:owed', balance: 0 }, { balance: -600 }],
          transfers: [{}, {}, { code: 'repay', amount: 40 }],
        },
      ],
      'without a debt nothing is repaid': [
        { owed: { balance: 0 } },
        {
          accounts: [{ balance: 100 }, { balance: 900 }, { id: 'ines:owed', balance: 0 }, { balance: -600 }],
          transfers: [{ seq: 4 }, { seq: 5 }],
        },
      ],
      'no money is there beside a debt': [
        { available: { balance: 1 } },
        'ledger: money came in and a debt was left beside it',
      ],
    },
  },
  {
    trigger: 'transfers_without_debt',
    given: {
      available: account('ines:available', 100),
      owed: account('ines:owed', -1),
      other: account('ivan:available', 100),
    },
    write: { insert: transfer('w:hold', 'hold', 'w')[1] },
    cases: {
      'an investor with a debt withdraws nothing': [{}, 'debt_outstanding'],
      'a repaid debt does not matter': [{ owed: { balance: 0 } }, 'accepted'],
      'another investor’s debt does not matter': [{ write: { from_account: 'ivan:available' } }, 'accepted'],
      'an investor with a debt still gets a fee charged': [{ write: { code: 'fee' } }, 'accepted'],
    },
  },
  {
    trigger: 'transfers_caused',
    given: {
      available: account('ines:available', 100, { last_transfer: 5 }),
      owed: account('ines:owed', -300),
      cause: ['transfers', CREDIT],
      other: transfer('x:repay', 'repay', 'x'),
    },
    write: { insert: { ...REPAY, ref: 'd', actor: 'olga' } },
    cases: {
      'money that came in repays a debt': [{}, 'accepted'],
      once: [{ other: { ref: 'd' } }, NO_CAUSE],
    },
  },
  {
    trigger: 'transfers_caused',
    given: {
      available: account('ines:available', 100, { last_transfer: 5 }),
      owed: account('ines:owed', -300),
      order: order('o', 'redeem'),
      redeem: transfer('o:redeem', 'redeem', 'o', { seq: 4, amount: 70, actor: 'system' }),
      gain: transfer('o:gain', 'gain', 'o', { seq: 5, amount: 30, actor: 'system' }),
      movement: movement('m', 'redeem', { ref: 'o' }),
      fee: movement('f', 'fee'),
      other: transfer('x:repay', 'repay', 'x'),
    },
    write: { insert: { ...REPAY, actor: 'system' } },
    cases: {
      'all that units brought repays a debt': [{}, 'accepted'],
      once: [{ other: { ref: 'o' } }, NO_CAUSE],
      'a fee repays nothing': [{ movement: { code: 'fee' } }, NO_CAUSE],
    },
  },
  {
    trigger: 'transfers_caused',
    given: {
      granted: account('ines:granted', 0),
      proposal: proposal('p', 'bonus', {
        status: 'approved',
        investor: 'ines',
        amount: 100,
        decided_by: 'ines',
      }),
      other: transfer('x:bonus', 'bonus', 'x'),
      sameReference: transfer('p:release', 'release', 'p'),
    },
    write: { insert: BONUS },
    cases: {
      'an approved bonus is granted': [{}, 'accepted'],
      once: [{ other: { ref: 'p' } }, NO_CAUSE],
    },
  },
  {
    trigger: 'transfers_caused',
    given: {
      granted: account('ines:granted', 0),
      bonus: [
        'referral_bonuses',
        {
          invitee: 'ivan',
          id: 'p',
          referrer: 'ines',
          amount: 100,
          setting: 's',
          deposit: 'd',
          minimum: 1,
          due_at: NOW,
          matures_at: NOW,
          granted_at: NOW,
        },
      ],
      other: transfer('x:bonus', 'bonus', 'x'),
      sameReference: transfer('p:release', 'release', 'p'),
    },
    write: { insert: { ...BONUS, actor: 'system' } },
    cases: {
      'a referral bonus is granted': [{}, 'accepted'],
      once: [{ other: { ref: 'p' } }, NO_CAUSE],
      'not by an operator': [{ write: { actor: 'olga' } }, NO_CAUSE],
      'not one that is not due': [{ bonus: { granted_at: null } }, NO_CAUSE],
      'not another amount': [{ write: { amount: 101 } }, NO_CAUSE],
      'not to another investor': [{ bonus: { referrer: 'ivan' } }, NO_CAUSE],
    },
  },
  {
    trigger: 'transfers_caused',
    given: {
      available: account('ines:available', 110),
      others: account('ivan:available', 110),
      movement: movement('m', 'redeem', { ref: 'o', cents: 150, cost: 100 }),
      repaid: transfer('o:repay', 'repay', 'o', { amount: 40 }),
      other: transfer('x:forfeit', 'forfeit', 'x'),
    },
    write: {
      insert: transfer('o:forfeit', 'forfeit', 'o', {
        to_account: 'ines:fees',
        amount: 20,
        actor: 'system',
      })[1],
    },
    cases: {
      'the gain on reversed money goes to the company': [{}, 'accepted'],
      once: [{ other: { ref: 'o' } }, NO_CAUSE],
      'beside other transfers': [{ other: { ref: 'o', code: 'gain' } }, 'accepted'],
      'not another share of it': [{ write: { amount: 21 } }, NO_CAUSE],
      'not more than what is left': [{ repaid: { amount: 149 }, write: { amount: 1 } }, 'accepted'],
      'not without a debt': [{ repaid: { code: 'redeem' } }, NO_CAUSE],
      'nor of another order': [{ repaid: { ref: 'p' } }, NO_CAUSE],
      'nor for another movement': [{ movement: { ref: 'p' } }, NO_CAUSE],
      'nor of a fee': [{ movement: { code: 'fee' } }, NO_CAUSE],
      'nor from another investor': [{ movement: { investor: 'ivan' } }, NO_CAUSE],
      'nor by an operator': [{ write: { actor: 'olga' } }, NO_CAUSE],
    },
  },
  ...(['reverse_bonus', 'overdraw'] as const).map(
    (code): Written => ({
      trigger: 'transfers_caused',
      given: {
        granted: account('ines:granted', -100),
        owed: account('ines:owed', 0),
        available: account('ines:available', 30),
        bonus: [
          'referral_bonuses',
          {
            invitee: 'ivan',
            id: 'p',
            referrer: 'ines',
            amount: 100,
            setting: 's',
            deposit: 'd',
            minimum: 1,
            due_at: NOW,
            matures_at: NOW,
            granted_at: NOW,
            reversed_at: NOW,
          },
        ],
        reversal: event('d', 'reversed'),
        other: transfer('x:bonus', code, 'x'),
        before: transfer('x:reverse_bonus', 'reverse_bonus', 'x'),
      },
      write: {
        insert:
          code === 'overdraw'
            ? { ...BONUS, code, from_account: 'ines:owed', amount: 70, actor: 'olga' }
            : { ...BONUS, code, from_account: 'ines:available', to_account: 'ines:granted', actor: 'olga' },
      },
      cases: {
        'a bonus goes with its deposit': [{}, 'accepted'],
        once: [{ other: { ref: 'p' } }, NO_CAUSE],
        'and nothing is borrowed for it afterwards': [{ before: { ref: 'p' } }, NO_CAUSE],
        'not another amount': [{ write: { amount: 71 } }, NO_CAUSE],
        'not by somebody else': [{ write: { actor: 'omar' } }, NO_CAUSE],
        'not while the deposit stands': [{ reversal: { status: 'approved' } }, NO_CAUSE],
        'not for another deposit': [{ reversal: { request: 'e' } }, NO_CAUSE],
        'not while the bonus stands': [{ bonus: { reversed_at: null } }, NO_CAUSE],
        'not from another investor': [{ bonus: { referrer: 'ivan' } }, NO_CAUSE],
        'nor without a bonus': [{ bonus: null }, NO_CAUSE],
      },
    }),
  ),
]

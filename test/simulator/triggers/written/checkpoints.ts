import { DAY_MS } from '../../../../src/time.ts'
import { account, checkpoint, END, movement, transfer, unitsAfter } from './rows.ts'
import { NOW, type Written } from './situation.ts'

/** A transfer of 100 cents from available to held. */
const HOLD = transfer('w:hold', 'hold', 'w', { seq: 200 })[1]
const TWICE =
  'UNIQUE constraint failed: balance_checkpoints.owner, balance_checkpoints.at, balance_checkpoints.seq'
const NOT_FOLLOWED = 'ledger: the checkpoints did not follow'
const WRONG = 'ledger: a checkpoint has the balances before its entry'
const ONCE = 'ledger: a checkpoint is written once'
const NOT_EMPTY = 'ledger: checkpoints begin empty, with their accounts'
const NOT_EARLIER = 'ledger: only an earlier entry changes a checkpoint'
const MOVED_ONCE = 'units: the state after a movement is written once'
const NOT_MOVED = 'units: only an earlier movement changes the state after one'

/** Cases about the checkpoints of balances and of units. */
export const CHECKPOINTS: readonly Written[] = [
  {
    trigger: 'accounts_checkpointed',
    given: { other: checkpoint('ivan', END, END, { entries: 4 }) },
    write: { insert: account('ines:available', 0)[1] },
    cases: {
      'the first account begins the checkpoints': [
        {},
        {
          balance_checkpoints: [
            { owner: 'ines', at: END, seq: END, entries: 0, available: 0, last_transfer: 0 },
            { owner: 'ivan', entries: 4 },
          ],
        },
      ],
      'a later account does not': [
        { write: { owner: 'ivan' } },
        { balance_checkpoints: [{ owner: 'ivan', entries: 4 }] },
      ],
    },
  },
  {
    trigger: 'transfers_checkpointed',
    given: {
      first: checkpoint('ines', NOW - 1000, 50, { entries: 3, available: 7 }),
      end: checkpoint('ines', END, END, {
        ...{ entries: 10, available: 1000, held: 5, allocating: 1, invested: 2, owed: -3, net_paid_in: 4 },
      }),
      other: checkpoint('ivan', NOW - 1000, 60, { entries: 1, available: 70 }),
      otherEnd: checkpoint('ivan', END, END, { entries: 1, available: 70, last_transfer: 200 }),
      before: transfer('a', 'hold', 'a', { seq: 50, at: NOW - 1000 }),
      others: transfer('b', 'hold', 'b', {
        ...{ seq: 60, at: NOW - 1000, from_account: 'ivan:available', to_account: 'ivan:held' },
      }),
    },
    write: { insert: HOLD },
    cases: {
      'a transfer changes the last checkpoint of its owner': [
        {},
        {
          balance_checkpoints: [
            { owner: 'ines', at: NOW - 1000, entries: 3, available: 7, last_transfer: 0 },
            {
              ...{
                owner: 'ines',
                at: END,
                entries: 11,
                available: 900,
                held: 105,
                allocating: 1,
                invested: 2,
              },
              ...{ owed: -3, net_paid_in: 4, last_transfer: 200 },
            },
            { owner: 'ivan', at: NOW - 1000, entries: 1, available: 70 },
            { owner: 'ivan', at: END, entries: 1, available: 70 },
          ],
        },
      ],
      'the first entry of a day has a checkpoint': [
        { first: { at: NOW - DAY_MS } },
        {
          balance_checkpoints: [
            { at: NOW - DAY_MS },
            {
              ...{ owner: 'ines', at: NOW, seq: 200, entries: 10, available: 1000, held: 5, allocating: 1 },
              ...{ invested: 2, owed: -3, net_paid_in: 4, last_transfer: 200 },
            },
            { at: END, entries: 11 },
            {},
            {},
          ],
        },
      ],
      'so has the first of all': [
        { first: null },
        { balance_checkpoints: [{ at: NOW, seq: 200, entries: 10 }, { at: END, entries: 11 }, {}, {}] },
      ],
      '100 entries lie between two': [
        { end: { entries: 102 } },
        { balance_checkpoints: [{ entries: 3 }, { entries: 103 }, {}, {}] },
      ],
      'the 101st has a checkpoint': [
        { end: { entries: 103 } },
        {
          balance_checkpoints: [
            { entries: 3 },
            { at: NOW, seq: 200, entries: 103, available: 1000 },
            { entries: 104, available: 900 },
            {},
            {},
          ],
        },
      ],
      'an entry from before others changes their checkpoints': [
        {
          other: { owner: 'ines', at: NOW + 1000, seq: 60, entries: 9 },
          others: { at: NOW + 1000, from_account: 'ines:available', to_account: 'ines:held' },
        },
        {
          balance_checkpoints: [
            { entries: 3 },
            { at: NOW + 1000, seq: 60, entries: 10, available: -30, held: 100, last_transfer: 200 },
            { at: END, entries: 11, available: 900, last_transfer: 200 },
            { owner: 'ivan' },
          ],
        },
      ],
      'and has one if it is the 101st': [
        {
          other: { owner: 'ines', at: NOW + 1000, seq: 60, entries: 103 },
          others: { at: NOW + 1000, from_account: 'ines:available', to_account: 'ines:held' },
        },
        {
          balance_checkpoints: [
            { entries: 3 },
            { at: NOW, seq: 200, entries: 103, available: 70 },
            { at: NOW + 1000, seq: 60, entries: 104, available: -30 },
            { at: END },
            { owner: 'ivan' },
          ],
        },
      ],
      'if there are later ones, the last of them has it': [
        {
          end: { entries: 103 },
          others: { at: NOW + 500, from_account: 'ines:available', to_account: 'ines:held', amount: 40 },
        },
        {
          balance_checkpoints: [
            { entries: 3 },
            { at: NOW + 500, seq: 60, entries: 103, available: 940, held: 65, last_transfer: 200 },
            { at: END, entries: 104, available: 900, held: 105 },
            {},
            {},
          ],
        },
      ],
      'its own checkpoint has only the entries before it': [
        { other: { owner: 'ines', at: NOW, seq: 200, entries: 9, available: 70 } },
        { balance_checkpoints: [{}, { seq: 200, entries: 9, available: 70 }, { entries: 11 }, {}] },
      ],
      'an entry gets no second checkpoint': [
        { other: { owner: 'ines', at: NOW, seq: 200, entries: 9 }, end: { entries: 103 } },
        TWICE,
      ],
      'without a last checkpoint there is no transfer': [{ end: null }, NOT_FOLLOWED],
    },
  },
  {
    trigger: 'balance_checkpoints_begin',
    given: {
      account: account('ines:available', 0),
      other: checkpoint('ivan', END, END),
    },
    write: { insert: checkpoint('ines', END, END)[1] },
    cases: {
      'the last one comes first, empty': [{}, 'accepted'],
      'with money it is refused': [{ write: { available: 5 } }, NOT_EMPTY],
      'nobody has one without an account': [{ account: null }, NOT_EMPTY],
      'another account does not count': [{ account: { owner: 'ivan' } }, NOT_EMPTY],
      'others follow': [{ other: { owner: 'ines', at: NOW }, write: { available: 5 } }, 'accepted'],
    },
  },
  {
    trigger: 'balance_checkpoints_checked',
    given: {
      entry: transfer('w:hold', 'hold', 'w', { seq: 7 }),
      end: checkpoint('ines', END, END, { entries: 10, available: 900, held: 105, last_transfer: 9 }),
      another: transfer('x:hold', 'hold', 'x', { seq: 8, at: NOW + 5, from_account: 'ivan:available' }),
      other: checkpoint('ivan', END - 1, END, { entries: 2 }),
    },
    write: {
      insert: checkpoint('ines', NOW, 7, { entries: 9, available: 1000, held: 5, last_transfer: 9 })[1],
    },
    cases: {
      'the balances before an entry are written': [{}, 'accepted'],
      'no others': [{ write: { available: 1001 } }, WRONG],
      once: [{ other: { owner: 'ines', at: NOW, seq: 7 } }, ONCE],
      'at the time of the entry': [{ write: { at: NOW + 1 } }, WRONG],
      'not without an entry': [{ write: { seq: 6 } }, WRONG],
      'nor of somebody else’s': [{ entry: { from_account: 'ivan:available' } }, WRONG],
      'nor of an entry that others follow': [{ another: { from_account: 'ines:available' } }, WRONG],
      'unless these have one': [
        {
          another: { from_account: 'ines:available' },
          end: { at: NOW + 5, seq: 8 },
        },
        'accepted',
      ],
      'the first one is of another kind': [{ end: null, write: { available: 1 } }, 'accepted'],
    },
  },
  {
    trigger: 'balance_checkpoints_follow',
    given: {
      end: checkpoint('ines', END, END, { entries: 10, available: 1000, last_transfer: 5 }),
      entry: transfer('w:hold', 'hold', 'w', { seq: 7 }),
      another: transfer('x:hold', 'hold', 'x', { seq: 8, amount: 1 }),
    },
    write: { update: { entries: 11, available: 900, held: 100, last_transfer: 7 } },
    cases: {
      'an entry before it changes it': [{}, 'accepted'],
      'by no other amount': [{ write: { available: 901 } }, NOT_EARLIER],
      once: [{ end: { last_transfer: 7 } }, NOT_EARLIER],
      'not by its own entry': [{ end: { at: NOW, seq: 7 } }, NOT_EARLIER],
      'nor by a later one': [{ end: { at: NOW - 1 } }, NOT_EARLIER],
      'nor by somebody else’s': [{ entry: { from_account: 'ivan:available' } }, NOT_EARLIER],
      'nor without one': [{ entry: null }, NOT_EARLIER],
    },
  },
  {
    trigger: 'balance_checkpoints_keep',
    given: { end: checkpoint('ines', END, END) },
    write: { delete: true },
    cases: { 'a checkpoint is not deleted': [{}, 'ledger: checkpoints are never deleted'] },
  },
  {
    trigger: 'unit_movements_remembered',
    given: {
      earlier: unitsAfter('ines', 's', NOW - 1, 2, { units: 5, cost: 50 }),
      later: unitsAfter('ines', 's', NOW + 1, 3, { units: 7, cost: 70, last_movement: 3 }),
      otherStrategy: unitsAfter('ines', 't', NOW + 1, 4, { units: 1, cost: 2 }),
      otherInvestor: unitsAfter('ivan', 's', NOW + 1, 5, { units: 3, cost: 4 }),
    },
    write: { insert: movement('m', 'issue', { seq: 9, units: 10, cost: 100 })[1] },
    cases: {
      'a movement adds to the state before it and to all later ones': [
        {},
        {
          position_history: [
            { at: NOW - 1, units: 5, cost: 50 },
            { at: NOW, seq: 9, units: 15, cost: 150, last_movement: 9 },
            { at: NOW + 1, seq: 3, units: 17, cost: 170, last_movement: 9 },
            { strategy: 't', units: 1, cost: 2 },
            { investor: 'ivan', units: 3, cost: 4 },
          ],
        },
      ],
      'of the same investor and strategy': [
        { otherStrategy: { at: NOW - 1 }, otherInvestor: { at: NOW - 1 }, earlier: null, later: null },
        {
          position_history: [
            { strategy: 's', units: 10, cost: 100 },
            { strategy: 't', units: 1, cost: 2 },
            { investor: 'ivan', units: 3, cost: 4 },
          ],
        },
      ],
      'units that are sold take their cost along': [
        { write: { code: 'redeem', units: -2, cost: 20 } },
        {
          position_history: [{ units: 5, cost: 50 }, { units: 3, cost: 30 }, { units: 5, cost: 50 }, {}, {}],
        },
      ],
    },
  },
  {
    trigger: 'position_history_checked',
    given: {
      movement: movement('m', 'issue', { seq: 9 }),
      other: unitsAfter('ivan', 't', NOW - 1, 8),
    },
    write: { insert: unitsAfter('ines', 's', NOW, 9)[1] },
    cases: {
      'the state after a movement is written': [{}, 'accepted'],
      once: [{ other: { investor: 'ines', strategy: 's', at: NOW, seq: 9 } }, MOVED_ONCE],
      'not without a movement': [{ movement: null }, MOVED_ONCE],
    },
  },
  {
    trigger: 'position_history_follow',
    given: {
      later: unitsAfter('ines', 's', NOW + 1, 3, { units: 7, cost: 70, last_movement: 3 }),
      movement: movement('m', 'issue', { seq: 9, units: 10, cost: 100 }),
      another: movement('n', 'issue', { seq: 10, units: 1, cost: 1, ref: 'n' }),
    },
    write: { update: { units: 17, cost: 170, last_movement: 9 } },
    cases: {
      'a movement before it changes it': [{}, 'accepted'],
      'by no other number': [{ write: { units: 18 } }, NOT_MOVED],
      'a sale lowers the cost': [
        { movement: { code: 'redeem', units: -2, cost: 20 }, write: { units: 5, cost: 50 } },
        'accepted',
      ],
      once: [{ later: { last_movement: 9 } }, NOT_MOVED],
      'not by its own movement': [{ later: { at: NOW, seq: 9 } }, NOT_MOVED],
      'nor by a later one': [{ later: { at: NOW - 1 } }, NOT_MOVED],
      'nor by somebody else’s': [{ movement: { investor: 'ivan' } }, NOT_MOVED],
      'nor by that of another strategy': [{ movement: { strategy: 't' } }, NOT_MOVED],
      'nor without one': [{ movement: null }, NOT_MOVED],
    },
  },
  {
    trigger: 'position_history_keep',
    given: { state: unitsAfter('ines', 's', NOW, 9) },
    write: { delete: true },
    cases: { 'a state is not deleted': [{}, 'units: the state after a movement is never deleted'] },
  },
]
